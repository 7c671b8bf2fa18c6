//! A scene as plain data: walls and movers, and the paths that the movers take in it.

use std::f32::consts::TAU;

use bevy::{math::Affine2, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};
use proptest::{collection::vec, prelude::*};

use crate::{common::*, strategies::between};

const STEPS: usize = 3;
/// Updates in which runners keep a step.
const UPDATES_PER_STEP: usize = 12;
/// The length of all paths.
pub const UPDATES: usize = STEPS * UPDATES_PER_STEP;

/// The size and kind of a collider, whose center is at its entity.
#[derive(Clone, Debug)]
pub enum Form {
    Circle {
        radius: f32,
    },
    Rect {
        size: Vec2,
    },
    /// From `-end` to `end`.
    Capsule {
        end: Vec2,
        radius: f32,
    },
    /// Every line from the origin to the outline stays inside.
    Polygon {
        vertices: Vec<Vec2>,
    },
    /// A polygon of several outlines.
    Outlines {
        outlines: Vec<Vec<Vec2>>,
    },
    /// Row by row, from the top left.
    Grid {
        columns: usize,
        cells: Vec<bool>,
        cell_size: Vec2,
    },
}

#[derive(Clone, Debug)]
pub struct Wall {
    pub form: Form,
    pub position: Vec2,
    /// In radians.
    pub angle: f32,
    /// What it moves by in each update, pushing movers.
    pub step: Vec2,
    /// The direction in which it lets movers pass, relative to the wall.
    pub one_way: Option<Vec2>,
}

#[derive(Clone, Debug)]
pub struct Runner {
    pub form: Form,
    pub position: Vec2,
    pub angle: f32,
    /// What it moves by in each update: one step after the other.
    pub steps: Vec<Vec2>,
    pub response: MoverResponse,
    /// Whether movers block it, and it them.
    pub is_solid: bool,
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub walls: Vec<Wall>,
    pub runners: Vec<Runner>,
    pub skin_width: f32,
    /// What the walls' poses are relative to.
    pub parent: Option<Transform>,
}

impl Form {
    pub fn shape(&self) -> Shape {
        match self {
            Self::Circle { radius } => CircleCollider::new(*radius).shape(),
            Self::Rect { size } => RectCollider::new(size.x, size.y).shape(),
            Self::Capsule { end, radius } => CapsuleCollider::between(-*end, *end, *radius).shape(),
            Self::Polygon { .. } | Self::Outlines { .. } => self.polygon().shape(),
            Self::Grid { .. } => self.grid().shape(),
        }
    }

    fn polygon(&self) -> PolygonCollider {
        let polygon = match self {
            Self::Polygon { vertices } => PolygonCollider::new(vertices.iter().copied()),
            Self::Outlines { outlines } => PolygonCollider::from_outlines(outlines.clone()),
            _ => unreachable!("not a polygon"),
        };
        polygon.expect("no edges cross")
    }

    fn grid(&self) -> TileCollider {
        let Self::Grid {
            columns,
            cells,
            cell_size,
        } = self
        else {
            unreachable!("not a grid")
        };
        TileCollider::from_cells(*columns as u32, cells.iter().copied(), *cell_size)
    }

    fn insert(&self, entity: &mut EntityWorldMut) {
        match self {
            Self::Circle { radius } => entity.insert(CircleCollider::new(*radius)),
            Self::Rect { size } => entity.insert(RectCollider::new(size.x, size.y)),
            Self::Capsule { end, radius } => {
                entity.insert(CapsuleCollider::between(-*end, *end, *radius))
            }
            Self::Polygon { .. } | Self::Outlines { .. } => entity.insert(self.polygon()),
            Self::Grid { .. } => entity.insert(self.grid()),
        };
    }
}

/// A form at a pose in the world.
pub fn placed(form: &Form, position: Vec2, angle: f32) -> Shape {
    (form.shape()).transformed(&Affine2::from_angle_translation(angle, position))
}

impl Layout {
    /// Removes the movers that start in a wall or in another mover.
    pub fn without_overlaps(mut self) -> Self {
        let at = |wall: &Wall| placed(&wall.form, wall.position, wall.angle);
        let mut taken: Vec<Shape> = self.walls.iter().map(at).collect();
        self.runners.retain(|runner| {
            let shape = placed(&runner.form, runner.position, runner.angle);
            let gap = 4.0 * self.skin_width;
            let is_free = (taken.iter())
                .all(|other| bevy_thud::geometry::contact_within(&shape, other, gap).is_none());
            taken.push(shape);
            is_free
        });
        self
    }

    /// Where the movers are after each update.
    pub fn play(&self) -> Vec<Vec<Vec2>> {
        self.play_nudged(Vec2::ZERO)
    }

    /// The same, while runners are moved a little with each new step: every other runner the
    /// other way. Where walls stop a runner, all nudges before are forgotten.
    pub fn play_nudged(&self, nudge: Vec2) -> Vec<Vec<Vec2>> {
        let mut app = test_app();
        let parent = self.parent.map(|parent| spawn(&mut app, parent));
        let walls: Vec<Entity> = (self.walls.iter())
            .map(|wall| wall.spawn(&mut app, parent))
            .collect();
        let runners: Vec<Entity> = (self.runners.iter())
            .map(|runner| runner.spawn(&mut app, self.skin_width))
            .collect();
        (0..UPDATES)
            .map(|update| {
                for (wall, &entity) in self.walls.iter().zip(&walls) {
                    if wall.step != Vec2::ZERO {
                        let position = wall.position + wall.step * (update + 1) as f32;
                        set_position(&mut app, entity, position);
                    }
                }
                if update % UPDATES_PER_STEP == 0 {
                    let index = update / UPDATES_PER_STEP;
                    self.start_step(&mut app, &runners, index, nudge);
                }
                app.update();
                let position = |&entity| global_position(&app, entity);
                runners.iter().map(position).collect()
            })
            .collect()
    }

    fn start_step(&self, app: &mut App, runners: &[Entity], index: usize, nudge: Vec2) {
        for (i, (runner, &entity)) in self.runners.iter().zip(runners).enumerate() {
            set_velocity(app, entity, runner.steps[index] / STEP_SECS);
            if nudge != Vec2::ZERO {
                let nudge = if i % 2 == 0 { nudge } else { -nudge };
                let position = global_position(app, entity) + nudge;
                set_position(app, entity, position);
            }
        }
    }
}

impl Wall {
    fn spawn(&self, app: &mut App, parent: Option<Entity>) -> Entity {
        let mut entity = app
            .world_mut()
            .spawn((rotated(self.position, self.angle), Solid));
        self.form.insert(&mut entity);
        if self.step != Vec2::ZERO {
            entity.insert(Swept);
        }
        if let Some(direction) = self.one_way {
            entity.insert(OneWay(Dir2::new(direction).expect("a direction")));
        }
        if let Some(parent) = parent {
            entity.insert(ChildOf(parent));
        }
        entity.id()
    }
}

impl Runner {
    fn spawn(&self, app: &mut App, skin_width: f32) -> Entity {
        let mover = Mover {
            response: self.response,
            skin_width,
            ..default()
        };
        let mut entity = app
            .world_mut()
            .spawn((rotated(self.position, self.angle), mover));
        self.form.insert(&mut entity);
        if self.is_solid {
            entity.insert(Solid);
        }
        entity.id()
    }
}

/// A multiple of an eighth, which halving and adding leave exact.
fn eighths(low: i16, high: i16) -> impl Strategy<Value = f32> + Clone {
    (8 * low..=8 * high).prop_map(|number| f32::from(number) / 8.0)
}

fn vector(limit: i16) -> impl Strategy<Value = Vec2> {
    (eighths(-limit, limit), eighths(-limit, limit)).prop_map(Vec2::from)
}

fn angle() -> impl Strategy<Value = f32> {
    prop_oneof![Just(0.0), between(-3.0, 3.0)]
}

fn size() -> impl Strategy<Value = Vec2> {
    let side = || prop_oneof![Just(0.125), eighths(1, 8)];
    (side(), side()).prop_map(Vec2::from)
}

/// Vertices in directions all around, each at its own distance, in sixteenths.
fn polygon(limit: i16) -> impl Strategy<Value = Form> {
    vec(between(0.6, f32::from(limit)), 3..9).prop_map(|distances| {
        let count = distances.len() as f32;
        let vertex = |(index, distance): (usize, f32)| {
            let vertex = Vec2::from_angle(index as f32 / count * TAU) * distance;
            (vertex * 16.0).round() / 16.0
        };
        let vertices = distances.into_iter().enumerate().map(vertex).collect();
        Form::Polygon { vertices }
    })
}

fn grid() -> impl Strategy<Value = Form> {
    (1..5usize, vec(prop::bool::weighted(0.7), 4..16), size()).prop_map(
        |(columns, mut cells, size)| {
            cells.resize(cells.len().next_multiple_of(columns), false);
            Form::Grid {
                columns,
                cells,
                cell_size: size / 2.0,
            }
        },
    )
}

fn wall_form() -> impl Strategy<Value = Form> {
    prop_oneof![
        1 => eighths(1, 4).prop_map(|radius| Form::Circle { radius }),
        3 => size().prop_map(|size| Form::Rect { size }),
        1 => (vector(3), eighths(0, 2)).prop_map(|(end, radius)| Form::Capsule { end, radius }),
        2 => polygon(6),
        2 => grid(),
    ]
}

fn runner_form() -> impl Strategy<Value = Form> {
    prop_oneof![
        3 => (1..12u8).prop_map(|radius| Form::Circle { radius: f32::from(radius) / 8.0 }),
        2 => size().prop_map(|size| Form::Rect { size: size / 4.0 }),
        1 => (vector(1), (1..6u8)).prop_map(|(end, radius)| Form::Capsule {
            end,
            radius: f32::from(radius) / 8.0,
        }),
        1 => polygon(2),
    ]
}

pub fn wall(limit: i16) -> impl Strategy<Value = Wall> {
    let step = prop_oneof![
        4 => Just(Vec2::ZERO),
        1 => vector(1).prop_map(|step| step / 4.0),
    ];
    let one_way = prop_oneof![
        6 => Just(None),
        1 => (0..4usize).prop_map(|quarter| Some([Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y][quarter])),
    ];
    (wall_form(), vector(limit), angle(), step, one_way).prop_map(
        |(form, position, angle, step, one_way)| Wall {
            form,
            position,
            angle,
            step,
            one_way,
        },
    )
}

pub fn runner(limit: i16) -> impl Strategy<Value = Runner> {
    let response = prop_oneof![
        3 => Just(MoverResponse::Slide),
        1 => Just(MoverResponse::Stop),
        1 => Just(MoverResponse::Bounce),
    ];
    let step = prop_oneof![vector(1), vector(6)];
    (
        (runner_form(), vector(limit), angle()),
        (vec(step, STEPS), response, prop::bool::weighted(0.3)),
    )
        .prop_map(
            |((form, position, angle), (steps, response, is_solid))| Runner {
                form,
                position,
                angle,
                steps,
                response,
                is_solid,
            },
        )
}

pub fn layout() -> impl Strategy<Value = Layout> {
    (vec(wall(16), 1..10), vec(runner(16), 1..5)).prop_map(|(walls, runners)| {
        Layout {
            walls,
            runners,
            skin_width: 0.02,
            parent: None,
        }
        .without_overlaps()
    })
}
