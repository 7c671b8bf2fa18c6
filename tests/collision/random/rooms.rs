//! Closed rooms of every kind of wall, with crowds of every kind of mover, pushing walls and
//! one-way walls in them: nobody gets out, and nobody is pressed into the walls.

use bevy::{math::bounding::BoundingVolume, prelude::*};
use bevy_thud::{geometry::contact_within, prelude::*};
use proptest::{collection::vec, prelude::*};

use super::metamorphic::{
    layout::{Form, Layout, Runner, UPDATES, Wall, placed, runner, wall},
    relations::{cut, under_a_parent, with_redundant_vertices, with_walls},
};
use crate::strategies::{between, cases};

/// Half of the room's size inside, and the thickness of its walls. The walls of some rooms are up
/// to [`BULGE`] further inside.
const HALF: Vec2 = Vec2::new(10.0, 8.0);
const THICKNESS: f32 = 0.125;
const BULGE: f32 = 0.5;

const MAX_MOVER_SIZE: f32 = 4.0;

/// How deep a mover may be in a wall of the room: rounding.
const MAX_DEPTH: f32 = 0.005;

fn at(position: Vec2, form: Form) -> Wall {
    Wall {
        form,
        position,
        angle: 0.0,
        step: Vec2::ZERO,
        one_way: None,
    }
}

/// The corners of a rectangle around the origin, counter-clockwise.
fn corners(half: Vec2) -> [Vec2; 4] {
    [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| half * Vec2::new(x, y))
}

/// Polygons with mitred ends, which touch along their ends.
fn mitred() -> Vec<Wall> {
    let (inner, outer) = (corners(HALF), corners(HALF + THICKNESS));
    let side = |index: usize| {
        let next = (index + 1) % 4;
        let vertices = vec![outer[index], outer[next], inner[next], inner[index]];
        at(Vec2::ZERO, Form::Polygon { vertices })
    };
    (0..4).map(side).collect()
}

/// A polygon with a hole, and with pillars in that.
fn ring(pillars: &[(f32, f32)]) -> Vec<Wall> {
    let around = |half: Vec2, center: Vec2| corners(half).map(|corner| center + corner).to_vec();
    let mut outlines = vec![
        around(HALF, Vec2::ZERO),
        around(HALF + THICKNESS, Vec2::ZERO),
    ];
    let pillars = pillars
        .iter()
        .map(|&center| around(Vec2::splat(0.5), center.into()));
    outlines.extend(pillars);
    vec![at(Vec2::ZERO, Form::Outlines { outlines })]
}

/// A polygon of outlines that share their edges: the walls of a closed line.
fn closed_line() -> Vec<Wall> {
    let mut line = corners(HALF).to_vec();
    line.push(line[0]);
    let polygon = PolygonCollider::line(line, 0.0, THICKNESS).expect("no edges cross");
    let outlines = polygon.outlines().map(<[Vec2]>::to_vec).collect();
    vec![at(Vec2::ZERO, Form::Outlines { outlines })]
}

/// Two polygons like brackets, which touch above and below.
fn brackets() -> Vec<Wall> {
    let outer = HALF + THICKNESS;
    let bracket = |sense: f32| {
        let vertices = [
            Vec2::new(0.0, outer.y),
            Vec2::new(-outer.x, outer.y),
            Vec2::new(-outer.x, -outer.y),
            Vec2::new(0.0, -outer.y),
            Vec2::new(0.0, -HALF.y),
            Vec2::new(-HALF.x, -HALF.y),
            Vec2::new(-HALF.x, HALF.y),
            Vec2::new(0.0, HALF.y),
        ];
        let vertices = vertices.map(|vertex| vertex * Vec2::new(sense, 1.0));
        let vertices = vertices.into();
        at(Vec2::ZERO, Form::Polygon { vertices })
    };
    vec![bracket(1.0), bracket(-1.0)]
}

/// Rectangles along the sides, or capsules between the corners.
fn bars(are_round: bool) -> Vec<Wall> {
    let middle = HALF + THICKNESS / 2.0;
    let sides = [Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y];
    let bar = |side: Vec2| {
        let along = side.perp().abs() * middle;
        let form = if are_round {
            Form::Capsule {
                end: along,
                radius: THICKNESS / 2.0,
            }
        } else {
            let size = 2.0 * along + THICKNESS;
            Form::Rect { size }
        };
        at(side * middle, form)
    };
    sides.map(bar).into()
}

/// A grid with solid cells all around.
fn grid() -> Vec<Wall> {
    let [columns, rows] = [2.0 * HALF.x + 2.0, 2.0 * HALF.y + 2.0].map(|count| count as usize);
    let is_border = |index: usize| {
        let (x, y) = (index % columns, index / columns);
        x == 0 || y == 0 || x + 1 == columns || y + 1 == rows
    };
    let form = Form::Grid {
        columns,
        cells: (0..columns * rows).map(is_border).collect(),
        cell_size: Vec2::ONE,
    };
    vec![at(Vec2::ZERO, form)]
}

/// Circles that overlap.
fn pearls() -> Vec<Wall> {
    let edges = (corners(HALF).into_iter()).zip(corners(HALF).into_iter().cycle().skip(1));
    let circles = edges.flat_map(|(p, q)| {
        let count = (p.distance(q) / BULGE) as usize;
        (0..count).map(move |index| p.lerp(q, index as f32 / count as f32))
    });
    let form = Form::Circle { radius: BULGE };
    circles.map(|position| at(position, form.clone())).collect()
}

/// The walls of a room around the origin.
fn room() -> impl Strategy<Value = Vec<Wall>> {
    prop_oneof![
        Just(bars(false)),
        Just(bars(true)),
        Just(mitred()),
        Just(ring(&[])),
        Just(ring(&[(-6.0, 3.0), (2.0, -4.0), (3.0, -4.0)])),
        Just(closed_line()),
        Just(brackets()),
        Just(grid()),
        Just(pearls()),
    ]
}

/// A mover of the crowd, most of them fast.
fn member() -> impl Strategy<Value = Runner> {
    let factor = prop_oneof![Just(0.1), Just(1.0), Just(16.0), Just(1024.0)];
    (runner(7), factor).prop_map(|(mut runner, factor)| {
        for step in &mut runner.steps {
            *step *= factor;
        }
        runner
    })
}

/// Walls in the room. Those that move leave space for movers beside them.
fn furniture() -> impl Strategy<Value = Wall> {
    wall(8).prop_map(|mut wall| {
        wall.step /= 4.0;
        let size = wall.form.shape().aabb().half_size().length();
        let path = wall.step.length() * UPDATES as f32;
        if wall.position.length() + size + path > HALF.y - MAX_MOVER_SIZE {
            wall.step = Vec2::ZERO;
        }
        wall
    })
}

/// What may be done to the walls without a change to the room.
fn rebuilt(layout: Layout, way: usize) -> Layout {
    match way {
        0 => layout,
        1 => with_walls(&layout, with_redundant_vertices),
        2 => with_walls(&layout, |wall| match wall.form {
            Form::Polygon { .. } => vec![wall.clone()],
            _ => cut(wall),
        }),
        _ => under_a_parent(&layout),
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_closed_room_keeps_a_crowd(
        (room, center, angle) in (room(), (0..4u8), between(-3.0, 3.0)),
        furniture in vec(furniture(), 0..4),
        crowd in vec(member(), 1..10),
        way in 0..4usize,
    ) {
        let center = Vec2::new(-1.0, 0.75) * [0.0, 100.0, 3_000.0, 50_000.0][usize::from(center)];
        let rotation = Vec2::from_angle(angle);
        let mut room = room;
        for wall in &mut room {
            wall.position = center + rotation.rotate(wall.position);
            wall.angle += angle;
        }
        let shapes: Vec<_> =
            (room.iter()).map(|wall| placed(&wall.form, wall.position, wall.angle)).collect();
        let inside = |mut wall: Wall| {
            wall.position = center + rotation.rotate(wall.position);
            wall
        };
        room.extend(furniture.into_iter().map(inside));
        let crowd = crowd.into_iter().map(|mut runner| {
            runner.position = center + rotation.rotate(runner.position);
            runner
        });
        let layout = Layout {
            walls: room,
            runners: crowd.collect(),
            skin_width: 0.02,
            parent: None,
        };
        let layout = layout.without_overlaps();
        let slop = 8.0 * f32::EPSILON * center.length();
        for (update, positions) in rebuilt(layout.clone(), way).play().iter().enumerate() {
            for (runner, &position) in layout.runners.iter().zip(positions) {
                let local = Vec2::from_angle(-angle).rotate(position - center);
                prop_assert!(
                    local.abs().cmplt(HALF + THICKNESS).all(),
                    "{update}: {local} is outside, {runner:?}"
                );
                let shape = placed(&runner.form, position, runner.angle);
                for wall in &shapes {
                    let depth = contact_within(&shape, wall, 0.0).map_or(0.0, |c| c.depth);
                    prop_assert!(
                        depth <= MAX_DEPTH + slop,
                        "{update}: {depth} deep at {local}, {runner:?}"
                    );
                }
            }
        }
    }
}
