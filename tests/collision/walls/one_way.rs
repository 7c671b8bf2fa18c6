//! `OneWay`: walls that block from one side only.

use bevy::prelude::*;
use bevy_thud::{geometry, prelude::*};

use crate::common::*;

/// A world with a platform of 40 by 2 whose free direction is up, rotated about the origin.
struct Level {
    app: App,
    angle: f32,
    platform: Entity,
}

impl Level {
    fn new(angle: f32) -> Self {
        let mut app = test_app();
        let platform = spawn(
            &mut app,
            (
                RectCollider::new(40.0, 2.0),
                Solid,
                OneWay(Dir2::Y),
                rotated(Vec2::ZERO, angle),
            ),
        );
        Self {
            app,
            angle,
            platform,
        }
    }

    fn to_world(&self, local: Vec2) -> Vec2 {
        Vec2::from_angle(self.angle).rotate(local)
    }

    fn to_local(&self, world: Vec2) -> Vec2 {
        Vec2::from_angle(-self.angle).rotate(world)
    }

    /// A mover of radius 1.
    fn spawn_mover(&mut self, local: Vec2, step: Vec2) -> Entity {
        let transform = rotated(self.to_world(local), self.angle);
        let velocity = self.to_world(step) / STEP_SECS;
        let mover = Mover::with_velocity(velocity);
        spawn(&mut self.app, (CircleCollider::new(1.0), mover, transform))
    }

    fn move_by(&mut self, mover: Entity, local_step: Vec2, steps: usize) -> Vec2 {
        for _ in 0..steps {
            let velocity = self.to_world(local_step) / STEP_SECS;
            let mut mover = self.app.world_mut().get_mut::<Mover>(mover).unwrap();
            mover.velocity = velocity;
            self.app.update();
        }
        self.to_local(global_position(&self.app, mover))
    }

    fn move_platform(&mut self, local: Vec2) {
        let world_position = self.to_world(local);
        set_position(&mut self.app, self.platform, world_position);
    }
}

const ANGLES: [f32; 4] = [0.0, 0.7, 2.0, -2.9];

#[test]
fn it_lets_through_along_its_direction_and_carries_from_the_other_side() {
    for angle in ANGLES {
        for speed in [0.3, 1.1, 30.0] {
            let mut level = Level::new(angle);
            let mover = level.spawn_mover(Vec2::new(0.0, -5.0), Vec2::ZERO);
            let up = level.move_by(mover, Vec2::new(0.0, speed), (10.0 / speed).ceil() as usize);
            assert!(up.y >= 4.9, "{angle} {speed}: {up}");
            let down = level.move_by(mover, Vec2::new(0.1, -speed), 60);
            assert!((down.y - 2.02).abs() < 1e-3, "{angle} {speed}: {down}");
            assert!((down.x - up.x - 6.0).abs() < 0.1, "it slides: {down}");
        }
    }
}

#[test]
fn a_mover_inside_when_the_motion_begins_passes_in_both_directions() {
    for angle in ANGLES {
        let mut level = Level::new(angle);
        let mover = level.spawn_mover(Vec2::new(0.0, 1.0), Vec2::ZERO);
        let still = level.move_by(mover, Vec2::ZERO, 3);
        assert!(
            still.distance(Vec2::new(0.0, 1.0)) < 1e-3,
            "it is not pushed out: {still}"
        );
        let down = level.move_by(mover, Vec2::new(0.0, -0.25), 24);
        assert!((down.y + 5.0).abs() < 1e-3, "{angle}: {down}");
    }
}

#[test]
fn a_crowd_passes_it_as_one_does_and_does_not_come_back() {
    for angle in ANGLES {
        let mut level = Level::new(angle);
        let crowd: Vec<Entity> = (-2..=2)
            .map(|i| level.spawn_mover(Vec2::new(2.02 * i as f32, -5.0), Vec2::ZERO))
            .collect();
        for &mover in &crowd {
            level.app.world_mut().entity_mut(mover).insert(Solid);
        }
        for (step, end) in [(0.25, 5.0), (-0.25, 2.02)] {
            let velocity = level.to_world(Vec2::new(0.0, step)) / STEP_SECS;
            for _ in 0..40 {
                for &mover in &crowd {
                    let mut mover = level.app.world_mut().get_mut::<Mover>(mover).unwrap();
                    mover.velocity = velocity;
                }
                level.app.update();
            }
            for &mover in &crowd {
                let position = level.to_local(global_position(&level.app, mover));
                assert!(
                    (position.y - end).abs() < 0.05,
                    "{angle} {step}: {position}"
                );
            }
        }
    }
}

#[test]
fn its_sides_and_its_back_do_not_block() {
    for angle in ANGLES {
        let mut level = Level::new(angle);
        let mover = level.spawn_mover(Vec2::new(-30.0, 0.0), Vec2::ZERO);
        let through = level.move_by(mover, Vec2::new(1.0, 0.0), 60);
        assert!((through.x - 30.0).abs() < 1e-2, "{angle}: {through}");
        // Coming down beside it.
        let mover = level.spawn_mover(Vec2::new(-22.0, 4.0), Vec2::ZERO);
        let beside = level.move_by(mover, Vec2::new(0.1, -0.5), 20);
        assert!(
            beside.distance(Vec2::new(-20.0, -6.0)) < 1e-2,
            "{angle}: {beside}"
        );
    }
}

#[test]
fn one_that_rises_lifts_what_stands_on_it() {
    for angle in ANGLES {
        for rise in [0.05, 0.5, 3.0] {
            for fall in [0.0, -0.1] {
                let mut level = Level::new(angle);
                let mover = level.spawn_mover(Vec2::new(0.0, 2.02), Vec2::ZERO);
                level.app.update();
                for number in 1..=20 {
                    level.move_platform(Vec2::new(0.0, rise * number as f32));
                    let height = level.move_by(mover, Vec2::new(0.0, fall), 1).y;
                    let expected = rise * number as f32 + 2.02;
                    assert!(
                        (height - expected).abs() < 0.02,
                        "{angle} {rise} {fall} {number}: {height} {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_heap_on_one_that_rises_and_sinks_falls_through_nowhere() {
    let speeds = [(0.2, 0.3), (0.8, 0.3), (0.2, 1.5)];
    for (number, angle) in ANGLES.into_iter().enumerate() {
        // Each of the speeds once, or in the long form at each angle.
        for &(rise, fall) in cases(&speeds[number % 3..][..1], &speeds) {
            let mut level = Level::new(angle);
            for x in [-9.0, 9.0] {
                let transform = rotated(level.to_world(Vec2::new(x, 60.0)), angle);
                spawn(
                    &mut level.app,
                    (RectCollider::new(2.0, 130.0), Solid, transform),
                );
            }
            let heap: Vec<Entity> = (0..24u8)
                .map(|i| {
                    let (column, row) = (f32::from(i % 4), f32::from(i / 4));
                    let local = Vec2::new(3.0 * column - 4.5 + 0.3 * row, 2.1 + 2.2 * row);
                    let mover = level.spawn_mover(local, Vec2::ZERO);
                    level.app.world_mut().entity_mut(mover).insert(Solid);
                    mover
                })
                .collect();
            level.app.update();
            let mut height = 0.0;
            for frame in 0..120 {
                height += if frame < 60 { rise } else { -rise };
                level.move_platform(Vec2::new(0.0, height));
                let velocity = level.to_world(Vec2::new(0.0, -fall)) / STEP_SECS;
                for &mover in &heap {
                    set_velocity(&mut level.app, mover, velocity);
                }
                level.app.update();
                for &mover in &heap {
                    let position = level.to_local(global_position(&level.app, mover));
                    let above = position.y - height - 2.0;
                    let aside = 7.0 - position.x.abs();
                    assert!(
                        above.min(aside) > -tolerance(200.0),
                        "{angle} {rise} {fall} {frame}: {above} {aside}"
                    );
                }
            }
        }
    }
}

#[test]
fn one_that_sinks_under_a_mover_that_does_not_fall_leaves_it_there() {
    let mut level = Level::new(0.0);
    let mover = level.spawn_mover(Vec2::new(0.0, 2.02), Vec2::ZERO);
    for number in 1..=10 {
        level.move_platform(Vec2::new(0.0, -0.3 * number as f32));
        let height = level.move_by(mover, Vec2::ZERO, 1).y;
        assert!((height - 2.02).abs() < 1e-4, "{height}");
    }
}

#[test]
fn what_counts_is_the_motion_relative_to_the_wall() {
    // Both rise, the platform faster: it blocks the mover that was above it.
    let mut level = Level::new(0.0);
    let mover = level.spawn_mover(Vec2::new(0.0, 3.0), Vec2::ZERO);
    let mut height = 0.0;
    for number in 1..=40 {
        level.move_platform(Vec2::new(0.0, 0.3 * number as f32));
        height = level.move_by(mover, Vec2::new(0.0, 0.1), 1).y;
    }
    assert!((height - 14.02).abs() < 0.15, "{height}");
}

#[test]
fn direction_and_presence_may_change() {
    let mut level = Level::new(0.0);
    level
        .app
        .world_mut()
        .entity_mut(level.platform)
        .insert(OneWay(Dir2::NEG_Y));
    let mover = level.spawn_mover(Vec2::new(0.0, 5.0), Vec2::ZERO);
    let down = level.move_by(mover, Vec2::new(0.0, -0.5), 20);
    assert!((down.y + 5.0).abs() < 1e-3, "it is free now: {down}");
    let up = level.move_by(mover, Vec2::new(0.0, 0.5), 20);
    assert!((up.y + 2.02).abs() < 1e-3, "{up}");
    level
        .app
        .world_mut()
        .entity_mut(level.platform)
        .remove::<OneWay>();
    let mover = level.spawn_mover(Vec2::new(5.0, 5.0), Vec2::ZERO);
    let down = level.move_by(mover, Vec2::new(0.0, -0.5), 20);
    assert!((down.y - 2.02).abs() < 1e-3, "{down}");
}

#[test]
fn it_reports_like_any_other() {
    let mut level = Level::new(0.0);
    let mover = level.spawn_mover(Vec2::new(0.0, -5.0), per_step(0.0, 1.0) * STEP_SECS);
    let events = steps(&mut level.app, 15);
    assert_eq!(
        brief(&events),
        [
            started(level.platform, mover),
            ended(level.platform, mover, CollisionEndReason::Separated)
        ]
    );
}

#[test]
fn nobody_is_caught_inside_one_of_several_pieces() {
    let cells = [false, true, false, false, true, false, true, true, true];
    let points = [(-1, 3), (1, 3), (1, -1), (3, -1), (3, -3), (-1, -3)];
    let polygon = points.map(|(x, y)| IVec2::new(x, y).as_vec2());
    for is_grid in [true, false] {
        let mut app = test_app();
        let wall = spawn(&mut app, (Solid, OneWay(Dir2::Y), at(0.0, 0.0)));
        let mut wall = app.world_mut().entity_mut(wall);
        if is_grid {
            wall.insert(TileCollider::from_cells(3, cells, Vec2::splat(2.0)));
        } else {
            wall.insert(PolygonCollider::new(polygon).unwrap());
        }
        let fall = Mover::with_velocity(per_step(0.0, -0.5));
        let mover = (CircleCollider::new(0.25), fall, at(0.0, 2.0));
        let mover = spawn(&mut app, mover);
        steps(&mut app, 14);
        let end = global_position(&app, mover);
        assert!(
            end.distance(Vec2::new(0.0, -5.0)) < 1e-3,
            "{is_grid}: {end}"
        );
    }
}

#[test]
fn who_enters_through_a_free_side_is_not_caught_at_an_inner_edge() {
    let cells = [true, true, false, true];
    let mut app = test_app();
    let grid = TileCollider::from_cells(2, cells, Vec2::splat(2.0));
    spawn(&mut app, (grid, Solid, OneWay(Dir2::Y), at(0.0, 0.0)));
    // Into the upper row from the left, and through its lower edge into the cell below.
    let dive = Mover::with_velocity(per_step(6.0, -2.0));
    let mover = (CircleCollider::new(0.25), dive, at(-2.5, 1.0));
    let mover = spawn(&mut app, mover);
    app.update();
    let end = global_position(&app, mover);
    assert!(end.distance(Vec2::new(3.5, -1.0)) < 1e-3, "{end}");
}

#[test]
fn a_one_way_mover_lets_through_what_moves_along_its_direction() {
    for is_solid in [false, true] {
        for speed in [0.5, 20.0] {
            let mut app = test_app();
            let plank = (RectCollider::new(40.0, 4.0), Solid, OneWay(Dir2::Y));
            let plank = spawn(&mut app, (plank, Mover::default(), at(0.0, 0.0)));
            let mover = Mover::with_velocity(Vec2::new(0.0, speed) / STEP_SECS);
            let passer = spawn(&mut app, (ball(0.0, -5.0), mover));
            if is_solid {
                app.world_mut().entity_mut(passer).insert(Solid);
            }
            steps(&mut app, (10.0 / speed) as usize + 1);
            let end = global_position(&app, passer).y;
            assert!(end > 4.9, "{end}");
            assert_eq!(global_position(&app, plank), Vec2::ZERO);
            set_velocity(&mut app, passer, Vec2::Y * -20.0 / STEP_SECS);
            steps(&mut app, 3);
            let end = global_position(&app, passer).y;
            assert!((end - 3.02).abs() < 0.01, "it stands on the plank: {end}");
        }
    }
}

/// A ramp that rises to the right, from the origin, 4 thick.
fn spawn_ramp(app: &mut App) -> Entity {
    let points = [[0.0, 0.0], [0.0, -4.0], [40.0, 16.0], [40.0, 20.0]];
    let ramp = PolygonCollider::new(points.map(Vec2::from)).unwrap();
    spawn(app, (ramp, Solid, OneWay(Dir2::Y), at(0.0, 0.0)))
}

#[test]
fn a_ramp_lets_through_from_below_and_from_its_ends_and_blocks_from_above() {
    // Where a mover of radius 1 starts, by how much it moves in each of 20 steps, and whether it
    // gets through.
    let cases = [
        // From below, to both sides.
        ([20.0, -5.0], [0.0, 1.5], true),
        ([5.0, -10.0], [1.0, 1.2], true),
        ([30.0, 0.0], [-0.8, 0.9], true),
        ([36.0, 5.0], [-1.0, 0.0], true),
        // Through its ends.
        ([-6.0, -2.0], [2.0, 0.0], true),
        ([-6.0, -3.0], [2.0, 0.4], true),
        ([50.0, 18.0], [-2.0, 0.0], true),
        // Away from it: steeper than it is.
        ([10.0, 6.5], [1.0, 0.6], true),
        // Into its upper side.
        ([-3.0, 2.0], [1.0, 0.0], false),
        ([-3.0, 2.0], [1.0, 0.2], false),
        ([-3.0, 4.0], [1.0, -0.2], false),
    ];
    for (start, step, is_free) in cases {
        let [start, step] = [start, step].map(Vec2::from);
        for count in [20, 1] {
            let mut app = test_app();
            let ramp = spawn_ramp(&mut app);
            let transform = at(start.x, start.y);
            let mover = spawn(
                &mut app,
                (CircleCollider::new(1.0), Mover::default(), transform),
            );
            for _ in 0..count {
                let velocity = step * 20.0 / count as f32 / STEP_SECS;
                set_velocity(&mut app, mover, velocity);
                app.update();
            }
            let end = global_position(&app, mover);
            let off = end.distance(start + step * 20.0);
            assert_eq!(off < 1e-2, is_free, "{start} {step}: {end}");
            let [mover, ramp] = [mover, ramp].map(|entity| shape_of(&app, entity));
            let distance = geometry::separation(&mover, &ramp).distance;
            assert!(is_free || distance > 0.0, "{start} {step}: {end}");
        }
    }
}

#[test]
fn the_upper_vertices_of_its_ends_do_not_block_who_passes_sideways() {
    for height in [1.2, 1.5, 1.8] {
        let mut level = Level::new(0.0);
        let mover = level.spawn_mover(Vec2::new(-30.0, height), Vec2::ZERO);
        let through = level.move_by(mover, Vec2::new(1.0, 0.0), 60);
        let off = through.distance(Vec2::new(30.0, height));
        assert!(off < 1e-2, "{height}: {through}");
    }
}
