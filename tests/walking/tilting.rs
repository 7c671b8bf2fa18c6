//! Floors that turn carry who stands on them: walls by their `Transform`, and movers by `Turning`.

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

use crate::course::{Course, RATES, bodies};

/// How a floor turns.
#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Transform,
    Swept,
    OneWay,
    OneWaySwept,
    Turning,
}

/// A plank of 120 by 8 that turns at `speed` (radians per second) below a walker, which stands
/// `x` from its center.
fn plank(hertz: f64, body: &Shape, x: f32, how: How, speed: f32) -> (Course, Entity) {
    let start = Vec2::new(x, 4.02 - body.aabb().min.y);
    let mut course = Course::at_rate(hertz, body, start, Walker::default());
    let plank = course.block([0.0, 0.0], [120.0, 8.0]);
    let mut entity = course.app.world_mut().entity_mut(plank);
    if matches!(how, How::OneWay | How::OneWaySwept) {
        entity.insert(OneWay(Dir2::Y));
    }
    if matches!(how, How::Swept | How::OneWaySwept) {
        entity.insert(Swept);
    }
    if how == How::Turning {
        entity.insert((Mover::default(), Turning(0.0)));
    }
    course.settle();
    if how == How::Turning {
        course
            .app
            .world_mut()
            .entity_mut(plank)
            .insert(Turning(speed));
    }
    (course, plank)
}

#[test]
fn a_plank_that_tilts_keeps_who_stands_on_it() {
    for (name, body) in bodies() {
        for hertz in RATES {
            for how in [
                How::Transform,
                How::Swept,
                How::OneWay,
                How::OneWaySwept,
                How::Turning,
            ] {
                for (x, speed) in [(30.0, 0.5), (30.0, -0.5), (-40.0, 0.3), (0.0, 1.0)] {
                    let (mut course, plank) = plank(hertz, &body, x, how, speed);
                    let case = format!("{name} at {x} and {hertz} Hz, {how:?} at {speed}");
                    let seen_from = |course: &mut Course| {
                        let to_plank = course.transform(plank).compute_affine().inverse();
                        to_plank.transform_point3(course.position().extend(0.0))
                    };
                    let before = seen_from(&mut course);
                    for update in 1..=(0.6 / speed.abs() * hertz as f32) as u16 {
                        if how != How::Turning {
                            let angle = speed * f32::from(update) * course.seconds;
                            course.transform(plank).rotation = Quat::from_rotation_z(angle);
                        }
                        course.step();
                        assert!(course.ground().is_on_floor(), "{case}: update {update}");
                    }
                    let slip = (seen_from(&mut course).x - before.x).abs();
                    // Who has flat feet stands upright on another point than before.
                    let most = if name == "circle" { 1.0 } else { 6.0 };
                    assert!(slip < most, "{case}: slips by {slip}");
                }
            }
        }
    }
}
