//! `CollisionDebugPlugin`: the gizmos that a renderer would receive.

use std::any::TypeId;

use bevy::{
    asset::AssetPlugin,
    gizmos::{GizmoHandles, GizmoPlugin},
    mesh::MeshPlugin,
    prelude::*,
};
use bevy_thud::{CollisionDebugPlugin, CollisionGizmos, prelude::*};

use crate::common::{
    Kind, STEP_SECS, at, ball, rotated, set_velocity, spawn, start, unstarted_app,
};

const RED: Color = Color::linear_rgb(1.0, 0.0, 0.0);
const GREEN: Color = Color::linear_rgb(0.0, 1.0, 0.0);
const BLUE: Color = Color::linear_rgb(0.0, 0.0, 1.0);

/// Draws nothing but what a test enables.
const NOTHING: CollisionGizmos = CollisionGizmos {
    solid: None,
    mover: None,
    trigger: None,
    colliding: None,
    contact: None,
    hits: None,
    floor: None,
    wall: None,
    ceiling: None,
    walker: None,
    normal_length: 10.0,
    path: None,
    layers: None,
    aabb: None,
    only: Vec::new(),
};

fn drawing_app(gizmos: CollisionGizmos) -> App {
    let mut app = unstarted_app(CollisionPlugin::default());
    app.add_plugins((
        AssetPlugin::default(),
        MeshPlugin,
        GizmoPlugin,
        CollisionDebugPlugin,
    ));
    start(&mut app);
    change(&mut app, |_, known| *known = gizmos);
    app
}

fn change(app: &mut App, change: impl FnOnce(&mut GizmoConfig, &mut CollisionGizmos)) {
    let mut store = app.world_mut().resource_mut::<GizmoConfigStore>();
    let (config, gizmos) = store.config_mut();
    change(config, gizmos);
}

/// The lines of a color that were drawn in the last update: those through several points first.
fn drawn(app: &App, color: Color) -> Vec<Vec<Vec2>> {
    let color = color.to_linear();
    let mut lines = all_drawn(app);
    lines.retain(|(of_line, _)| *of_line == color);
    lines.into_iter().map(|(_, points)| points).collect()
}

fn all_drawn(app: &App) -> Vec<(LinearRgba, Vec<Vec2>)> {
    type Vertex = (Vec3, LinearRgba);
    let world = app.world();
    let handles = world.resource::<GizmoHandles>().handles();
    let Some(handle) = &handles[&TypeId::of::<CollisionGizmos>()] else {
        return Vec::new();
    };
    let lines = world.resource::<Assets<GizmoAsset>>().get(handle).unwrap();
    let vertices = |points: &[Vec3], colors: &[LinearRgba]| -> Vec<Vertex> {
        let colors = colors.iter().copied();
        points.iter().copied().zip(colors).collect()
    };
    let strips = vertices(&lines.strip_positions, &lines.strip_colors);
    let pairs = vertices(&lines.list_positions, &lines.list_colors);
    // NaN ends a line.
    let strips = strips.split(|(point, _)| point.is_nan());
    let lines = strips
        .chain(pairs.chunks(2))
        .filter(|line| !line.is_empty());
    let in_plane = |line: &[Vertex]| line.iter().map(|(point, _)| point.truncate()).collect();
    lines.map(|line| (line[0].1, in_plane(line))).collect()
}

/// The box around some points.
fn around(points: &[Vec2]) -> Rect {
    let corner = |extreme: fn(Vec2, Vec2) -> Vec2| points.iter().copied().reduce(extreme).unwrap();
    Rect::from_corners(corner(Vec2::min), corner(Vec2::max))
}

fn square(x: f32) -> impl Bundle {
    (RectCollider::new(2.0, 2.0), at(x, 0.0))
}

fn square_around(x: f32) -> Rect {
    Rect::from_center_size(Vec2::X * x, Vec2::splat(2.0))
}

/// A wall whose left edge is at ten.
fn wall() -> impl Bundle {
    (RectCollider::new(2.0, 40.0), Solid, at(11.0, 0.0))
}

#[test]
fn each_outline_of_a_polygon_is_drawn() {
    let mut app = drawing_app(CollisionGizmos {
        trigger: Some(BLUE),
        ..NOTHING
    });
    let squares = [9.0, 5.0, 1.0].map(|half: f32| {
        [(-half, -half), (half, -half), (half, half), (-half, half)].map(Vec2::from)
    });
    let polygon = PolygonCollider::from_outlines(squares).unwrap();
    spawn(&mut app, (polygon, at(30.0, 0.0)));
    app.update();
    let lines = drawn(&app, BLUE);
    let sizes: Vec<Vec2> = lines.iter().map(|line| around(line).size()).collect();
    assert_eq!(sizes, [18.0, 10.0, 2.0].map(Vec2::splat));
    assert!(
        lines
            .iter()
            .all(|line| line.len() == 5 && line[0] == line[4])
    );
}

#[test]
fn outlines_show_the_state() {
    let mut app = drawing_app(CollisionGizmos {
        solid: Some(RED),
        mover: Some(GREEN),
        trigger: Some(BLUE),
        ..NOTHING
    });
    spawn(&mut app, (square(0.0), Solid));
    spawn(&mut app, (square(10.0), Mover::default()));
    spawn(&mut app, square(20.0));
    app.update();
    for (color, x) in [(RED, 0.0), (GREEN, 10.0), (BLUE, 20.0)] {
        let [outline] = &drawn(&app, color)[..] else {
            panic!("{color:?}: {:?}", all_drawn(&app));
        };
        assert_eq!(around(outline), square_around(x));
    }
    change(&mut app, |_, gizmos| gizmos.colliding = Some(Color::WHITE));
    spawn(&mut app, square(21.0));
    app.update();
    let mut xs: Vec<f32> = (drawn(&app, Color::WHITE).iter())
        .map(|outline| around(outline).center().x)
        .collect();
    xs.sort_unstable_by(f32::total_cmp);
    assert_eq!(xs, [20.0, 21.0]);
    assert_eq!(drawn(&app, BLUE).len(), 0);
    assert_eq!(all_drawn(&app).len(), 4);
}

#[test]
fn outlines_are_as_large_as_the_boxes_around_them() {
    for kind in [Kind::Circle, Kind::Rect, Kind::Capsule] {
        let mut app = drawing_app(CollisionGizmos {
            trigger: Some(RED),
            aabb: Some(GREEN),
            ..NOTHING
        });
        let entity = spawn(&mut app, rotated(Vec2::new(5.0, -3.0), 0.4));
        kind.insert(&mut app, entity, Vec2::new(6.0, 2.0));
        app.update();
        let [outline, aabb] = [RED, GREEN].map(|color| around(&drawn(&app, color).concat()));
        let difference = (outline.min - aabb.min)
            .abs()
            .max((outline.max - aabb.max).abs());
        assert!(
            difference.max_element() < 0.05,
            "{kind:?}: {outline:?}, {aabb:?}"
        );
    }
}

#[test]
fn contacts_are_arrows_with_a_cross() {
    let mut app = drawing_app(CollisionGizmos {
        contact: Some(RED),
        ..NOTHING
    });
    spawn(&mut app, ball(0.0, 0.0));
    spawn(&mut app, ball(1.5, 0.0));
    app.update();
    let lines = drawn(&app, RED);
    let center = Vec2::X * 0.75;
    let arrow = (lines.iter()).find(|line| line[0].distance(center) < 1e-5);
    let tip = arrow.expect("it starts at the contact")[1];
    assert!((tip.distance(center) - 10.0).abs() < 1e-5 && tip.y.abs() < 1e-5);
    let crossing = lines
        .iter()
        .filter(|line| line[0].midpoint(line[1]).distance(center) < 1e-5);
    assert_eq!(crossing.count(), 2);
}

#[test]
fn hits_are_arrows_from_the_wall() {
    let mut app = drawing_app(CollisionGizmos {
        hits: Some(RED),
        ..NOTHING
    });
    spawn(&mut app, wall());
    let mover = spawn(&mut app, (ball(0.0, 3.0), Mover::default()));
    app.update();
    assert_eq!(all_drawn(&app), []);
    set_velocity(&mut app, mover, Vec2::X * 20.0 / STEP_SECS);
    app.update();
    let lines = drawn(&app, RED);
    assert!(
        lines[0][0].distance(Vec2::new(10.0, 3.0)) < 1e-3,
        "{lines:?}"
    );
    assert!(
        lines[0][1].distance(Vec2::new(0.0, 3.0)) < 1e-3,
        "{lines:?}"
    );
}

#[test]
fn paths_are_drawn_with_their_vertices() {
    let mut app = drawing_app(CollisionGizmos {
        path: Some(RED),
        ..NOTHING
    });
    spawn(&mut app, wall());
    let velocity = Vec2::new(18.0, 4.0) / STEP_SECS;
    let mover = Mover {
        response: MoverResponse::Bounce,
        ..Mover::with_velocity(velocity)
    };
    spawn(&mut app, (ball(0.0, 0.0), mover));
    let blade = spawn(&mut app, (ball(0.0, 30.0), Swept));
    app.update();
    let bounced = [Vec2::ZERO, Vec2::new(9.0, 2.0), Vec2::new(0.0, 4.0)];
    assert_lines(&drawn(&app, RED), &[&bounced]);

    let mut transform = app.world_mut().get_mut::<Transform>(blade).unwrap();
    transform.translation = Vec3::new(5.0, 40.0, 0.0);
    app.update();
    let swept = [Vec2::new(0.0, 30.0), Vec2::new(5.0, 40.0)];
    let onwards = [Vec2::new(0.0, 4.0), Vec2::new(-18.0, 8.0)];
    assert_lines(&drawn(&app, RED), &[&onwards, &swept]);
}

/// Asserts that lines are close to those that are expected, in any order. A path may end with a
/// segment of length 0.
fn assert_lines(lines: &[Vec<Vec2>], expected: &[&[Vec2]]) {
    let mut lines = lines.to_vec();
    lines.iter_mut().for_each(Vec::dedup);
    let is_near = |(p, q): (&Vec2, &Vec2)| p.distance(*q) < 0.1;
    for expected in expected {
        let is_drawn = lines
            .iter()
            .any(|line| line.len() == expected.len() && line.iter().zip(*expected).all(is_near));
        assert!(is_drawn, "{expected:?} is not in {lines:?}");
    }
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
}

#[test]
fn only_some_entities_are_drawn_with_what_concerns_them() {
    let mut app = drawing_app(CollisionGizmos {
        solid: Some(RED),
        mover: Some(RED),
        contact: Some(GREEN),
        hits: Some(BLUE),
        ..NOTHING
    });
    spawn(&mut app, wall());
    let movers = [0.0, 6.0].map(|y| {
        let mover = Mover::with_velocity(Vec2::X * 20.0 / STEP_SECS);
        spawn(&mut app, (ball(0.0, y), mover))
    });
    app.update();
    let count = |app: &App| [RED, GREEN, BLUE].map(|color| drawn(app, color).len());
    let all = count(&app);
    change(&mut app, |_, gizmos| gizmos.only = vec![movers[1]]);
    for mover in movers {
        set_velocity(&mut app, mover, Vec2::X * 20.0 / STEP_SECS);
    }
    app.update();
    let [outlines, contacts, hits] = count(&app);
    assert_eq!([3 * outlines, 2 * contacts, 2 * hits], all);
    assert!(hits > 0 && contacts > 0 && outlines > 0);
    let lines = [drawn(&app, GREEN), drawn(&app, BLUE)].concat();
    assert!(lines.iter().all(|line| line[0].y > 4.0), "{lines:?}");
}

#[test]
fn nothing_is_drawn_while_drawing_is_off() {
    let mut app = drawing_app(CollisionGizmos::default());
    spawn(&mut app, ball(0.0, 0.0));
    app.update();
    assert_ne!(all_drawn(&app), []);
    change(&mut app, |config, _| config.enabled = false);
    app.update();
    assert_eq!(all_drawn(&app), []);
}

#[test]
fn what_a_walker_touches_and_how_far_it_steps_and_snaps_is_drawn() {
    let mut app = drawing_app(CollisionGizmos {
        floor: Some(RED),
        wall: Some(GREEN),
        walker: Some(BLUE),
        ..NOTHING
    });
    let walker = Walker {
        snap_distance: 3.0,
        step_height: 2.0,
        ..default()
    };
    let mover = Mover::with_velocity(Vec2::new(10.0, -10.0));
    spawn(&mut app, (ball(0.0, 1.02), mover, walker));
    spawn(
        &mut app,
        (RectCollider::new(40.0, 2.0), at(0.0, -1.0), Solid),
    );
    spawn(
        &mut app,
        (RectCollider::new(2.0, 40.0), at(2.02, 0.0), Solid),
    );
    app.update();
    app.update();
    for color in [RED, GREEN, BLUE] {
        assert!(!drawn(&app, color).is_empty(), "{color:?}");
    }
}

#[test]
fn the_names_of_layers_are_at_the_centers_of_colliders() {
    #[derive(Reflect)]
    enum Layer {
        I,
        Wide,
    }
    impl CollisionLayer for Layer {}

    let mut app = drawing_app(CollisionGizmos {
        layers: Some(RED),
        ..NOTHING
    });
    app.name_layers::<Layer>();
    let layers = CollisionLayers::new(Layer::I, LayerMask::NONE);
    spawn(&mut app, (square(-50.0), layers));
    let layers = CollisionLayers::new([Layer::I, Layer::Wide], LayerMask::NONE);
    spawn(&mut app, (square(50.0), layers));
    app.update();
    let points = drawn(&app, RED).concat();
    let (left, right): (Vec<Vec2>, Vec<Vec2>) = points.iter().partition(|point| point.x < 0.0);
    let [short, long] = [around(&left), around(&right)];
    assert!(short.center().distance(Vec2::X * -50.0) < 5.0, "{short:?}");
    assert!(long.center().distance(Vec2::X * 50.0) < 5.0, "{long:?}");
    assert!(
        long.width() > 4.0 * short.width() + 10.0,
        "{short:?} {long:?}"
    );
}
