//! Smooth drawing between fixed steps, with `bevy_transform_interpolation`: what the page on smooth
//! drawing promises.

use std::time::Duration;

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;
use bevy_transform_interpolation::{TranslationEasingState, prelude::*};

#[derive(Clone, Copy, PartialEq)]
enum Drawing {
    Plain,
    Smooth,
}

/// The positions of an entity at the end of each step.
#[derive(Resource, Default)]
struct Steps(Vec<Vec2>);

#[derive(Component)]
struct Recorded;

fn app(drawing: Drawing, frame: Duration) -> App {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        CollisionPlugin::in_fixed_schedule(),
    ));
    if drawing == Drawing::Smooth {
        app.add_plugins(TransformInterpolationPlugin::default());
    }
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    app.init_resource::<Steps>().add_systems(
        FixedLast,
        |recorded: Query<&Transform, With<Recorded>>, mut steps: ResMut<Steps>| {
            let positions = recorded.iter().map(|at| at.translation.truncate());
            steps.0.extend(positions);
        },
    );
    app.finish();
    app.cleanup();
    app.update();
    app
}

fn drawn(app: &App, entity: Entity) -> Vec2 {
    let transform = app.world().get::<GlobalTransform>(entity).unwrap();
    transform.translation().truncate()
}

/// Where an entity was at the end of the last step and of the one before, and how much of the next
/// step is over.
fn last_steps(app: &App) -> ([Vec2; 2], f32) {
    let steps = &app.world().resource::<Steps>().0;
    let overstep = app.world().resource::<Time<Fixed>>().overstep_fraction();
    ([steps[steps.len() - 2], steps[steps.len() - 1]], overstep)
}

/// A ball that bounces in a room with a walker on a lift.
fn spawn_room(app: &mut App) -> [Entity; 3] {
    let world = app.world_mut();
    for (x, y, size) in [
        (0.0, 60.0, Vec2::new(120.0, 4.0)),
        (0.0, -60.0, Vec2::new(120.0, 4.0)),
        (60.0, 0.0, Vec2::new(4.0, 120.0)),
        (-60.0, 0.0, Vec2::new(4.0, 120.0)),
    ] {
        let wall = RectCollider::new(size.x, size.y);
        world.spawn((wall, Solid, Transform::from_xyz(x, y, 0.0)));
    }
    let mut mover = Mover::with_velocity(Vec2::new(311.0, 173.0));
    mover.response = MoverResponse::Bounce;
    let ball = (CircleCollider::new(3.0), mover, Recorded);
    let ball = world.spawn((ball, TransformInterpolation)).id();
    let lift = (RectCollider::new(20.0, 4.0), Solid, Swept);
    let lift = world.spawn((
        lift,
        Transform::from_xyz(-40.0, -50.0, 0.0),
        TransformInterpolation,
    ));
    let lift = lift.id();
    let walker = (
        CircleCollider::new(3.0),
        Mover::default(),
        Walker::default(),
    );
    let at = Transform::from_xyz(-40.0, -44.98, 0.0);
    let walker = world.spawn((walker, at, TransformInterpolation)).id();
    app.add_systems(FixedUpdate, move |mut transforms: Query<&mut Transform>| {
        transforms.get_mut(lift).unwrap().translation.y += 0.25;
    });
    [ball, lift, walker]
}

/// Frame rates that no step divides, faster and slower than the steps.
fn frames() -> [Duration; 3] {
    [1.0 / 144.0, 1.0 / 60.0, 1.0 / 25.0].map(Duration::from_secs_f64)
}

#[test]
fn smooth_drawing_changes_no_step() {
    for frame in frames() {
        let steps = [Drawing::Plain, Drawing::Smooth].map(|drawing| {
            let mut app = app(drawing, frame);
            spawn_room(&mut app);
            (0..200).for_each(|_| app.update());
            std::mem::take(&mut app.world_mut().resource_mut::<Steps>().0)
        });
        assert!(steps[0].len() > 80);
        assert_eq!(steps[0], steps[1], "{frame:?}");
    }
}

#[test]
fn movers_are_drawn_between_their_last_two_steps() {
    for frame in frames() {
        let mut app = app(Drawing::Smooth, frame);
        let [ball, ..] = spawn_room(&mut app);
        (0..10).for_each(|_| app.update());
        for _ in 0..200 {
            app.update();
            let ([before, last], overstep) = last_steps(&app);
            let expected = before.lerp(last, overstep);
            assert!(drawn(&app, ball).distance(expected) < 1e-4, "{frame:?}");
        }
    }
}

#[test]
fn a_walker_and_its_lift_are_drawn_together() {
    for frame in frames() {
        let mut app = app(Drawing::Smooth, frame);
        let [_, lift, walker] = spawn_room(&mut app);
        (0..20).for_each(|_| app.update());
        for _ in 0..100 {
            app.update();
            let gap = drawn(&app, walker).y - drawn(&app, lift).y;
            assert!((gap - 5.02).abs() < 2e-3, "{frame:?}: {gap}");
        }
    }
}

#[test]
fn a_child_is_drawn_where_its_mover_is() {
    let mut app = app(Drawing::Smooth, frames()[0]);
    let [ball, ..] = spawn_room(&mut app);
    let child = Transform::from_xyz(1.0, 2.0, 0.0);
    let child = app.world_mut().spawn((child, ChildOf(ball))).id();
    for _ in 0..100 {
        app.update();
        let offset = drawn(&app, child) - drawn(&app, ball);
        assert!(offset.distance(Vec2::new(1.0, 2.0)) < 1e-4);
    }
}

#[test]
fn what_was_just_spawned_is_drawn_where_it_is() {
    for in_step in [false, true] {
        let mut app = app(Drawing::Smooth, frames()[0]);
        let spawn = |mut commands: Commands, mut is_done: Local<bool>| {
            if !std::mem::replace(&mut is_done, true) {
                let mover = Mover::with_velocity(Vec2::X * 64.0);
                let ball = (CircleCollider::new(3.0), mover, Recorded);
                let at = Transform::from_xyz(100.0, 0.0, 0.0);
                commands.spawn((ball, at, TransformInterpolation));
            }
        };
        if in_step {
            app.add_systems(FixedUpdate, spawn);
        } else {
            app.add_systems(Update, spawn);
        }
        for _ in 0..10 {
            app.update();
            let mut balls = app
                .world_mut()
                .query_filtered::<&GlobalTransform, With<Recorded>>();
            for at in balls.iter(app.world()) {
                let x = at.translation().x;
                assert!((100.0..110.0).contains(&x), "{in_step}: {x}");
            }
        }
    }
}

/// Whether a ball is to teleport.
#[derive(Resource, Default)]
struct Teleports(bool);

/// Also resets the easing: a step would undo the teleport otherwise, or draw the ball on its way.
fn teleport(
    mut teleports: ResMut<Teleports>,
    ball: Single<(&mut Transform, &mut TranslationEasingState)>,
) {
    if std::mem::take(&mut teleports.0) {
        let (mut transform, mut easing) = ball.into_inner();
        transform.translation.x = 1000.0;
        *easing = TranslationEasingState::default();
    }
}

#[test]
fn a_teleport_that_resets_the_easing_is_kept_and_drawn_at_once() {
    for frame in frames() {
        for (in_step, frames_before) in (20..30).flat_map(|count| [(false, count), (true, count)]) {
            let mut app = app(Drawing::Smooth, frame);
            let mover = Mover::with_velocity(Vec2::X * 64.0);
            let ball = (CircleCollider::new(3.0), mover, TransformInterpolation);
            let ball = app.world_mut().spawn(ball).id();
            app.init_resource::<Teleports>();
            if in_step {
                app.add_systems(FixedUpdate, teleport);
            } else {
                app.add_systems(Update, teleport);
            }
            (0..frames_before).for_each(|_| app.update());
            app.world_mut().resource_mut::<Teleports>().0 = true;
            for _ in 0..10 {
                app.update();
                let is_done = !app.world().resource::<Teleports>().0;
                let x = drawn(&app, ball).x;
                let range = if is_done { 1000.0..1100.0 } else { 0.0..100.0 };
                assert!(
                    range.contains(&x),
                    "{frame:?} {frames_before} {in_step}: {x}"
                );
            }
            assert!(!app.world().resource::<Teleports>().0);
        }
    }
}

#[test]
fn a_refresh_between_steps_changes_no_step() {
    for frame in frames() {
        let steps = [false, true].map(|refreshes| {
            let mut app = app(Drawing::Smooth, frame);
            spawn_room(&mut app);
            if refreshes {
                app.add_systems(Update, |world: &mut World| refresh_colliders(world));
            }
            (0..200).for_each(|_| app.update());
            std::mem::take(&mut app.world_mut().resource_mut::<Steps>().0)
        });
        assert_eq!(steps[0], steps[1], "{frame:?}");
    }
}
