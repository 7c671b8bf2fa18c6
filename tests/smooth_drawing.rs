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

/// How the page sorts movers by y and lets them face where they go, and how it should not be done.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sorting {
    /// A child draws the mover, and `Update` writes the `Transform` of the child.
    Child,
    /// Each step writes the z of the mover, and `Update` flips its sprite.
    Step,
    /// `Update` writes the z of the mover.
    Update,
}

/// Draws the mover that is its parent.
#[derive(Component)]
struct Look;

fn sort_looks(
    movers: Query<&Transform, Without<Look>>,
    mut looks: Query<(&mut Transform, &ChildOf), With<Look>>,
) {
    for (mut look, child_of) in &mut looks {
        if let Ok(mover) = movers.get(child_of.parent()) {
            look.translation.z = -mover.translation.y / 1000.0;
        }
    }
}

fn turn_looks(movers: Query<&Mover>, mut looks: Query<(&mut Transform, &ChildOf), With<Look>>) {
    for (mut look, child_of) in &mut looks {
        if let Ok(mover) = movers.get(child_of.parent())
            && mover.velocity.x != 0.0
        {
            look.scale.x = mover.velocity.x.signum();
        }
    }
}

fn sort_movers(mut movers: Query<&mut Transform, With<Mover>>) {
    for mut mover in &mut movers {
        mover.translation.z = -mover.translation.y / 1000.0;
    }
}

fn flip_sprites(mut movers: Query<(&mut Sprite, &Mover)>) {
    for (mut sprite, mover) in &mut movers {
        if mover.velocity.x != 0.0 {
            sprite.flip_x = mover.velocity.x < 0.0;
        }
    }
}

fn sorted_app(sorting: Sorting, frame: Duration) -> App {
    let mut app = app(Drawing::Smooth, frame);
    match sorting {
        Sorting::Child => app.add_systems(Update, (sort_looks, turn_looks)),
        Sorting::Step => app
            .add_systems(FixedPostUpdate, sort_movers.after(CollisionSystems::Move))
            .add_systems(Update, flip_sprites),
        Sorting::Update => app.add_systems(Update, sort_movers),
    };
    app
}

/// Returns a mover, and the entity that draws it.
fn spawn_sorted(app: &mut App, sorting: Sorting, y: f32, velocity: Vec2) -> [Entity; 2] {
    let mover = (
        CircleCollider::new(3.0),
        Mover::with_velocity(velocity),
        Transform::from_xyz(0.0, y, 0.0),
        TransformInterpolation,
        Visibility::default(),
    );
    let mover = app.world_mut().spawn(mover).id();
    let look = if sorting == Sorting::Child {
        app.world_mut().spawn((Look, ChildOf(mover))).id()
    } else {
        mover
    };
    app.world_mut().entity_mut(look).insert(Sprite::default());
    [mover, look]
}

/// A frame at this many frames per second. At 60 each has a step; at more, some have none.
fn frame_at(rate: f64) -> Duration {
    Duration::from_secs_f64(1.0 / rate)
}

/// How far a mover is drawn from where it was, after 5 seconds at 100 units per second.
fn distance_in_5_seconds(sorting: Sorting, rate: f64) -> f32 {
    let mut app = sorted_app(sorting, frame_at(rate));
    let [mover, _] = spawn_sorted(&mut app, sorting, 0.0, Vec2::new(60.0, -80.0));
    (0..(5.0 * rate) as u32).for_each(|_| app.update());
    drawn(&app, mover).length()
}

#[test]
fn y_sorting_and_facing_as_on_the_page_slow_no_mover() {
    for rate in [60.0, 100.0, 144.0, 240.0] {
        for sorting in [Sorting::Child, Sorting::Step] {
            let distance = distance_in_5_seconds(sorting, rate);
            // It is drawn one step behind, which is 1.56 units.
            assert!(
                (distance - 500.0).abs() < 2.0,
                "{rate} {sorting:?}: {distance}"
            );
        }
    }
}

/// If this fails after an update of `bevy_transform_interpolation`, the page asks for too much.
#[test]
fn y_sorting_of_a_mover_in_update_slows_it() {
    for (rate, at_most) in [(100.0, 270.0), (144.0, 145.0), (240.0, 55.0)] {
        let distance = distance_in_5_seconds(Sorting::Update, rate);
        assert!(distance < at_most, "{rate}: {distance}");
    }
}

#[test]
fn y_sorting_draws_at_the_z_of_the_y_that_is_drawn() {
    for rate in [60.0, 100.0, 144.0, 240.0] {
        for sorting in [Sorting::Child, Sorting::Step] {
            let mut app = sorted_app(sorting, frame_at(rate));
            let falling = spawn_sorted(&mut app, sorting, 50.0, Vec2::new(3.0, -40.0));
            let rising = spawn_sorted(&mut app, sorting, -50.0, Vec2::new(3.0, 40.0));
            // What was just spawned is interpolated to its z in its first step.
            (0..20).for_each(|_| app.update());
            for _ in 0..(2.0 * rate) as u32 {
                app.update();
                for [mover, look] in [falling, rising] {
                    let look = app.world().get::<GlobalTransform>(look).unwrap();
                    let (y, z) = (drawn(&app, mover).y, look.translation().z);
                    assert!(
                        (z + y / 1000.0).abs() < 1e-5,
                        "{rate} {sorting:?}: {z} at y = {y}"
                    );
                }
            }
            let [falling, rising] = [falling, rising].map(|[mover, _]| drawn(&app, mover).y);
            assert!(falling < rising, "they passed each other");
        }
    }
}

#[test]
fn facing_is_drawn_at_once_and_mirrors_no_collider() {
    for rate in [60.0, 100.0, 144.0, 240.0] {
        for sorting in [Sorting::Child, Sorting::Step] {
            let mut app = sorted_app(sorting, frame_at(rate));
            let [mover, look] = spawn_sorted(&mut app, sorting, 0.0, Vec2::X);
            // The last one keeps it as it was.
            for (x, faces_left) in [(50.0, false), (-50.0, true), (50.0, false), (0.0, false)] {
                app.world_mut().get_mut::<Mover>(mover).unwrap().velocity.x = x;
                for _ in 0..30 {
                    app.update();
                    let sprite = app.world().get::<Sprite>(look).unwrap();
                    let scale = app.world().get::<Transform>(look).unwrap().scale;
                    assert_eq!(sprite.flip_x != (scale.x < 0.0), faces_left, "{rate}");
                    assert!(scale.abs().abs_diff_eq(Vec3::ONE, 1e-5), "{rate}: {scale}");
                    let mover = app.world().get::<Transform>(mover).unwrap();
                    assert!(mover.scale.abs_diff_eq(Vec3::ONE, 1e-5), "{rate}");
                }
            }
        }
    }
}
