//! The plugin in any schedule, beside other plugins, and with custom colliders.

use std::time::Duration;

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_thud::{geometry::Shape, prelude::*};

use crate::common::*;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Physics;

/// A custom collider: a plank along y.
#[derive(Component, Clone, Copy, Debug, Default)]
struct Plank {
    length: f32,
}

impl Collider for Plank {
    fn shape(&self) -> Shape {
        Shape::rect(Vec2::ZERO, Vec2::new(0.5, self.length), Rot2::IDENTITY)
    }
}

/// Another custom collider: a circle of radius 3.
#[derive(Component, Clone, Copy, Debug, Default)]
struct Blob;

impl Collider for Blob {
    fn shape(&self) -> Shape {
        Shape::circle(Vec2::ZERO, 3.0)
    }
}

fn runner() -> impl Bundle {
    (ball(0.0, 0.0), Mover::with_velocity(Vec2::X * 64.0))
}

#[test]
fn by_default_it_runs_once_a_frame_before_propagation() {
    let mut app = test_app();
    let runner = spawn(&mut app, runner());
    for frame in 1..4 {
        app.update();
        assert_eq!(local_position(&app, runner), Vec2::X * frame as f32);
        assert_eq!(
            global_position(&app, runner),
            local_position(&app, runner),
            "what is drawn is resolved"
        );
    }
}

#[test]
fn in_the_fixed_schedule_it_runs_once_a_step() {
    let mut app = unstarted_app(CollisionPlugin::in_fixed_schedule());
    start(&mut app);
    let runner = spawn(&mut app, runner());
    let other = spawn(&mut app, ball(11.5, 0.0));
    let begun = app.world().resource::<Time<Fixed>>().elapsed();
    let mut events = vec![];
    // Half a step, one and a half, three, a tenth …
    for tenths in [5, 15, 30, 1, 9, 40, 5, 5, 10] {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP * tenths / 10));
        events.extend(brief_step(&mut app));
        let fixed = app.world().resource::<Time<Fixed>>();
        let fixed_steps = ((fixed.elapsed() - begun).as_secs_f32() / STEP_SECS).round();
        assert!(local_position(&app, runner).abs_diff_eq(Vec2::X * fixed_steps, 1e-4));
    }
    assert!(local_position(&app, runner).x > 10.0);
    assert_eq!(events, [started(runner, other)]);
}

#[test]
fn what_happens_in_frames_without_a_fixed_step_is_not_lost() {
    let mut app = unstarted_app(CollisionPlugin::in_fixed_schedule());
    start(&mut app);
    let [a, b, c, d] = [0.0, 0.5, 1.0, 1.5].map(|x| spawn(&mut app, ball(x, 0.0)));
    assert_eq!(step(&mut app).len(), 6);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app.world_mut().despawn(a);
    assert_eq!(steps(&mut app, 3), []);
    app.world_mut().entity_mut(b).remove::<CircleCollider>();
    assert_eq!(steps(&mut app, 3), []);
    // This one is away in between.
    set_position(&mut app, d, Vec2::new(100.0, 0.0));
    assert_eq!(steps(&mut app, 3), []);
    set_position(&mut app, d, Vec2::new(1.5, 0.0));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    let mut ends = brief_step(&mut app);
    let mut expected = vec![
        ended(a, b, CollisionEndReason::Despawned),
        ended(a, c, CollisionEndReason::Despawned),
        ended(a, d, CollisionEndReason::Despawned),
        ended(b, c, CollisionEndReason::ColliderRemoved),
        ended(b, d, CollisionEndReason::ColliderRemoved),
    ];
    for list in [&mut ends, &mut expected] {
        list.sort_by_key(|event| format!("{event:?}"));
    }
    assert_eq!(ends, expected);
}

#[test]
fn in_a_schedule_of_your_own_it_runs_when_you_run_that() {
    let mut app = unstarted_app(CollisionPlugin::new(Physics));
    start(&mut app);
    let runner = spawn(&mut app, runner());
    let other = spawn(&mut app, ball(4.0, 0.0));
    assert_eq!(steps(&mut app, 3), []);
    assert_eq!(local_position(&app, runner), Vec2::ZERO);
    for run in 1..=3 {
        app.world_mut().run_schedule(Physics);
        assert_eq!(local_position(&app, runner), Vec2::X * run as f32);
    }
    assert_eq!(pairs(&mut app), [(runner.min(other), runner.max(other))]);
    assert_eq!(brief_step(&mut app), [started(runner, other)]);
}

#[test]
fn systems_before_and_after_the_sets_see_the_stages() {
    #[derive(Resource, Default)]
    struct Positions(Vec<f32>);
    fn record(positions: &mut Positions, movers: &Query<&Transform, With<Mover>>) {
        positions
            .0
            .extend(movers.iter().map(|transform| transform.translation.x));
    }
    let mut app = test_app();
    app.init_resource::<Positions>();
    app.add_systems(
        PostUpdate,
        (
            (|mut positions: ResMut<Positions>, movers: Query<&Transform, With<Mover>>| {
                record(&mut positions, &movers);
            })
            .after(CollisionSystems::Sync)
            .before(CollisionSystems::Move),
            (|mut positions: ResMut<Positions>, movers: Query<&Transform, With<Mover>>| {
                record(&mut positions, &movers);
            })
            .after(CollisionSystems::Move)
            .before(CollisionSystems::Detect),
        ),
    );
    spawn(&mut app, runner());
    app.update();
    assert_eq!(app.world().resource::<Positions>().0, [0.0, 1.0]);
}

#[test]
fn it_works_without_the_transform_plugin_and_without_time() {
    for plugin in [
        CollisionPlugin::default(),
        CollisionPlugin::in_fixed_schedule(),
        CollisionPlugin::new(Physics),
    ] {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), plugin));
        record_events(&mut app);
        start(&mut app);
        let runner = spawn(&mut app, runner());
        let other = spawn(&mut app, ball(1.5, 0.0));
        app.update();
        for schedule in [FixedPostUpdate.intern(), Physics.intern()] {
            let _ = app.world_mut().try_run_schedule(schedule);
        }
        assert_eq!(pairs(&mut app), [(runner.min(other), runner.max(other))]);
        assert_eq!(local_position(&app, runner), Vec2::ZERO);
    }
}

/// Handing one to another thread would take longer than most of them do.
#[test]
fn its_systems_stay_on_the_main_thread() {
    let mut app = App::new();
    app.add_plugins(CollisionPlugin::new(Physics));
    app.add_collider::<Plank>().add_collider::<Blob>();
    start(&mut app);
    app.world_mut().run_schedule(Physics);
    app.edit_schedule(Physics, |schedule| {
        let systems = schedule.systems().expect("the schedule has run");
        let elsewhere = systems.filter(|(_, system)| system.is_send() && !system.is_exclusive());
        assert_eq!(elsewhere.count(), 0);
    });
}

#[test]
fn its_systems_are_not_ambiguous_with_each_other_or_bevys() {
    let schedules = [
        (CollisionPlugin::default(), PostUpdate.intern()),
        (
            CollisionPlugin::in_fixed_schedule(),
            FixedPostUpdate.intern(),
        ),
        (CollisionPlugin::new(Physics), Physics.intern()),
    ];
    for (plugin, schedule) in schedules {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, plugin));
        app.add_collider::<Plank>().add_collider::<Blob>();
        app.edit_schedule(schedule, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
        start(&mut app);
        app.world_mut().run_schedule(schedule);
    }
}

#[test]
fn the_ambiguity_check_of_these_tests_works() {
    fn write(_: ResMut<CollisionSettings>) {}
    let mut schedule = Schedule::new(Physics);
    schedule.set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        ..default()
    });
    schedule.add_systems((write, |_: Res<CollisionSettings>| ()));
    let mut world = World::new();
    assert!(schedule.initialize(&mut world).is_err());
}

#[test]
fn a_kind_of_collider_may_be_added_before_or_after_the_plugin_and_twice() {
    type Setup = fn(&mut App);
    let setups: [(&str, Setup); 3] = [
        ("before", |app| {
            app.add_collider::<Plank>()
                .add_plugins(CollisionPlugin::default());
        }),
        ("after", |app| {
            app.add_plugins(CollisionPlugin::default())
                .add_collider::<Plank>();
        }),
        ("both", |app| {
            app.add_collider::<Plank>()
                .add_collider::<Plank>()
                .add_plugins(CollisionPlugin::default())
                .add_collider::<Plank>();
        }),
    ];
    for (name, setup) in setups {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin));
        setup(&mut app);
        record_events(&mut app);
        start(&mut app);
        let plank = spawn(&mut app, Plank { length: 10.0 });
        let high = spawn(&mut app, ball(0.5, 4.5));
        assert_eq!(brief_step(&mut app), [started(plank, high)], "{name}");
        app.world_mut().get_mut::<Plank>(plank).unwrap().length = 4.0;
        assert_eq!(
            brief_step(&mut app),
            [ended(plank, high, CollisionEndReason::Separated)],
            "{name}"
        );
        app.world_mut().get_mut::<Plank>(plank).unwrap().length = 10.0;
        assert_eq!(brief_step(&mut app), [started(plank, high)], "{name}");
        app.world_mut().entity_mut(plank).remove::<Plank>();
        assert_eq!(
            brief_step(&mut app),
            [ended(plank, high, CollisionEndReason::ColliderRemoved)],
            "{name}"
        );
    }
}

#[test]
fn entities_that_had_the_component_before_its_kind_was_added_collide() {
    let mut app = test_app();
    let plank = spawn(&mut app, Plank { length: 10.0 });
    let placed = spawn(&mut app, (Plank { length: 10.0 }, at(20.0, 0.0)));
    let others = [0.5, 20.5].map(|x| spawn(&mut app, ball(x, 4.5)));
    assert_eq!(step(&mut app), []);
    app.add_collider::<Plank>();
    let later = spawn(&mut app, (Plank { length: 10.0 }, at(40.0, 0.0)));
    let other = spawn(&mut app, ball(40.5, 4.5));
    let mut expected = [(plank, others[0]), (placed, others[1]), (later, other)]
        .map(|(p, q)| (p.min(q), p.max(q)));
    expected.sort();
    steps(&mut app, 2);
    assert_eq!(pairs(&mut app), expected);
}

#[test]
fn a_mover_of_ones_own_kind_of_collider_is_stopped() {
    let mut app = test_app();
    app.add_collider::<Plank>();
    spawn(
        &mut app,
        (RectCollider::new(2.0, 10.0), Solid, at(6.0, 0.0)),
    );
    let plank = spawn(
        &mut app,
        (
            Plank { length: 3.0 },
            Mover::with_velocity(Vec2::X * 6400.0),
        ),
    );
    steps(&mut app, 2);
    let x = local_position(&app, plank).x;
    assert!((x - 4.73).abs() < 1e-3, "{x}");
}

#[test]
fn of_two_kinds_on_an_entity_the_first_added_to_the_app_counts_and_is_warned_about_once() {
    collect_warnings();
    for blob_comes_first in [true, false] {
        let name = format!("plank and blob, {blob_comes_first};");
        let mut app = test_app();
        app.add_collider::<Plank>().add_collider::<Blob>();
        let both = spawn(&mut app, (Name::new(name.clone()), at(0.0, 0.0)));
        let plank = Plank { length: 10.0 };
        let mut entity = app.world_mut().entity_mut(both);
        if blob_comes_first {
            entity.insert(Blob).insert(plank);
        } else {
            entity.insert(plank).insert(Blob);
        }
        // One touches the plank, the other one the blob.
        let above = spawn(&mut app, ball(0.0, 5.5));
        let beside = spawn(&mut app, ball(3.5, 0.0));
        assert_eq!(brief(&steps(&mut app, 3)), [started(both, above)], "{name}");
        let warnings = warnings_about(&name);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        app.world_mut().entity_mut(both).remove::<Plank>();
        let changes = [
            ended(both, above, CollisionEndReason::Separated),
            started(both, beside),
        ];
        assert_eq!(
            brief(&steps(&mut app, 2)),
            changes,
            "{name}: the other one takes its place"
        );
        app.world_mut().entity_mut(both).insert(plank);
        let changes = [
            ended(both, beside, CollisionEndReason::Separated),
            started(both, above),
        ];
        assert_eq!(
            brief(&steps(&mut app, 2)),
            changes,
            "{name}: and gives it back"
        );
        app.world_mut().entity_mut(both).remove::<(Plank, Blob)>();
        assert_eq!(
            brief(&steps(&mut app, 2)),
            [ended(both, above, CollisionEndReason::ColliderRemoved)],
            "{name}"
        );
    }
}

#[test]
fn a_long_frame_is_one_long_motion_and_is_still_swept() {
    let mut app = test_app();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
        200,
    )));
    spawn(
        &mut app,
        (RectCollider::new(0.1, 10.0), Solid, at(6.0, 0.0)),
    );
    let runner = spawn(&mut app, runner());
    app.update();
    let x = local_position(&app, runner).x;
    assert!((x - 4.93).abs() < 1e-3, "{x}");
}
