//! `Swept` walls that turn push movers along their whole path.

use std::f32::consts::FRAC_PI_6;

use bevy::prelude::*;
use bevy_thud::{
    geometry::{Shape, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

/// Turns and moves an entity.
fn turn(app: &mut App, entity: Entity, angle: f32, step: Vec2) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
    transform.rotate_z(angle);
    transform.translation += step.extend(0.0);
}

/// Spawns a swept bar, 60 long and 8 thick, and returns its left end, about which it turns.
fn flipper(app: &mut App) -> Entity {
    let pivot = spawn(app, Transform::default());
    let bar = (RectCollider::new(60.0, 8.0), Solid, Swept);
    spawn(app, (bar, at(30.0, 0.0), ChildOf(pivot)));
    pivot
}

/// The distance of a mover from a flipper.
fn gap(app: &App, pivot: Entity, mover: Entity) -> f32 {
    let pivot = app.world().get::<Transform>(pivot).unwrap();
    let center = pivot.transform_point(Vec3::X * 30.0).truncate();
    let x_axis = pivot.right().truncate();
    let rotation = Rot2::from_sin_cos(x_axis.y, x_axis.x);
    let bar = Shape::rect(center, Vec2::new(60.0, 8.0), rotation);
    separation(&shape_of(app, mover), &bar).distance
}

/// Where a mover is in the frame of an entity without parent.
fn seen_from(app: &App, frame: Entity, mover: Entity) -> Vec2 {
    let [frame, mover] = [frame, mover].map(|it| app.world().get::<Transform>(it).unwrap());
    let to_frame = frame.compute_affine().inverse();
    to_frame.transform_point3(mover.translation).truncate()
}

#[test]
fn a_paddle_that_moves_and_tilts_keeps_the_ball_that_lies_on_it() {
    for thickness in [4.0, 14.0] {
        for step in [1.0, 4.0, 8.0, 15.0, 60.0, 400.0] {
            // Along an arc of a larger angle, the paddle would slip away below the ball.
            for angle in
                [0.001f32, -0.001, 0.01, 0.03, -0.1].map(|it| it.clamp(-4.0 / step, 4.0 / step))
            {
                let mut app = test_app();
                let paddle = (RectCollider::new(100.0, thickness), Solid, Swept);
                let paddle = spawn(&mut app, (paddle, at(0.0, 0.0)));
                let top = thickness / 2.0;
                let ball = (CircleCollider::new(6.0), at(40.0, top + 6.02));
                let ball = spawn(&mut app, (ball, Mover::default()));
                app.update();
                turn(&mut app, paddle, angle, Vec2::Y * step);
                app.update();
                let above = seen_from(&app, paddle, ball).y - top - 6.0;
                let case = format!("{thickness} thick, {step} up, turned by {angle}: {above}");
                // Unless it tilts away from the ball.
                let most = if step + 40.0 * angle > 0.0 { 0.5 } else { 4.0 };
                assert!((-1e-3..most).contains(&above), "{case}");
                let hits = app.world().get::<MoverHits>(ball).unwrap();
                assert!(!hits.is_crushed(), "{case}");
            }
        }
    }
}

#[test]
fn a_flipper_takes_any_mover_along_its_arc() {
    for kind in Kind::ALL {
        for angle in [1.0, 2.0, 3.0, 4.0].map(|number| FRAC_PI_6 * number) {
            for distance in [10.0, 25.0, 40.0] {
                let mut app = test_app();
                let pivot = flipper(&mut app);
                let mover = spawn(&mut app, (Mover::default(), at(distance, 9.0)));
                kind.insert(&mut app, mover, Vec2::new(4.0, 2.0));
                app.update();
                turn(&mut app, pivot, angle, Vec2::ZERO);
                app.update();
                let seen = seen_from(&app, pivot, mover);
                let gap = gap(&app, pivot, mover);
                let case = format!("{kind:?} at {distance}, turned by {angle}: {seen}, {gap}");
                assert!(seen.y > 4.0 && (-1e-3..0.3).contains(&gap), "{case}");
                // What is pushed along the normal all the time drifts outward, by the arc of its
                // height above the middle of the bar.
                let outward = seen.x - distance;
                assert!((-3.0..9.0 * angle + 3.0).contains(&outward), "{case}");
            }
        }
    }
}

/// Moves a flipper in a number of updates, and returns where a ball ends, and its distance.
fn flipped(updates: u16, start: Vec2, angle: f32, step: Vec2) -> (Vec2, f32) {
    let mut app = test_app();
    let pivot = flipper(&mut app);
    let ball = (CircleCollider::new(5.0), Mover::default());
    let ball = spawn(&mut app, (ball, at(start.x, start.y)));
    app.update();
    for update in 1..=updates {
        let done = f32::from(update) / f32::from(updates);
        let mut transform = app.world_mut().get_mut::<Transform>(pivot).unwrap();
        transform.translation = (step * done).extend(0.0);
        transform.rotation = Quat::from_rotation_z(angle * done);
        app.update();
    }
    (seen_from(&app, pivot, ball), gap(&app, pivot, ball))
}

#[test]
fn a_turn_in_one_update_pushes_as_hundreds_of_small_ones_do() {
    let mut rng = Rng::with_seed(3);
    let mut pushed = 0;
    for case in 0..cases(60, 600) {
        let angle = rng.f32() * 1.5;
        let start = Vec2::new(8.0 + 30.0 * rng.f32(), 9.1 + 20.0 * rng.f32());
        // Turns about its pivot only, or moves a little as well.
        let step = Vec2::new(rng.f32() - 0.5, rng.f32() - 0.5) * [0.0, 4.0][rng.usize(0..2)];
        let (fast, gap) = flipped(1, start, angle, step);
        let (slow, _) = flipped(400, start, angle, step);
        let case = format!("case {case}, {start} turned by {angle}, {step}");
        assert!(gap > -1e-3, "{case}: {gap}");
        assert!(fast.distance(slow) < 1.5, "{case}: {fast} and {slow}");
        pushed += usize::from(gap < 0.1);
    }
    assert!(pushed > 10, "{pushed}");
}
