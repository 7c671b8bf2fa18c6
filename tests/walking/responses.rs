//! Walkers that do not slide move as movers without `Walker` do.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, bodies};

/// The position of a body after each step of a fall onto slopes.
fn fall(body: &Shape, response: MoverResponse, is_walker: bool) -> Vec<Vec2> {
    let mut course = Course::new(body, Vec2::new(-20.0, 30.0), Walker::default());
    course.outline([[-60.0, 20.0], [-60.0, -20.0], [60.0, -20.0], [0.0, 0.0]]);
    course.block([70.0, 0.0], [20.0, 200.0]);
    let walker = course.walker;
    let mover = Mover {
        velocity: Vec2::new(90.0, -120.0),
        response,
        restitution: 0.7,
        ..default()
    };
    let mut entity = course.app.world_mut().entity_mut(walker);
    entity.insert(mover);
    if !is_walker {
        entity.remove::<Walker>();
    }
    let update = |_| {
        course.mover().velocity.y -= 15.0;
        course.app.update();
        course.position()
    };
    (0..120).map(update).collect()
}

#[test]
fn a_walker_that_does_not_slide_moves_as_a_mover() {
    for (name, body) in bodies() {
        for response in [
            MoverResponse::Bounce,
            MoverResponse::Stop,
            MoverResponse::Pass,
        ] {
            let walks = fall(&body, response, true);
            assert_eq!(walks, fall(&body, response, false), "{name} {response:?}");
        }
    }
}
