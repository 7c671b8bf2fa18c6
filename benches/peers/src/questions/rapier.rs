//! bevy_rapier2d's `RapierContext`, called as its documentation shows.

use std::hint::black_box;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::exam::{self, Answer, Exam, FAR, Kind};
use crate::{rapier, scenes::among_walls::RADIUS, stage::Engine};

/// Walls are colliders without a body.
pub fn engine() -> Engine {
    Engine {
        name: "rapier2d",
        install,
        diagnose: |_| {},
        equip: |entity, body| rapier::equip_collider(entity, body, false),
    }
}

fn install(app: &mut App) {
    rapier::install(app);
    exam::install(app, ask);
}

/// Shapes are solid: what a question starts in is hit at once, and is at no distance.
fn ask(context: ReadRapierContext, mut exam: ResMut<Exam>) {
    let Ok(context) = context.single() else {
        return;
    };
    let filter = QueryFilter::default();
    exam.ask(Kind::Ray, |question| {
        let (position, direction) = (question.position, *question.direction);
        let hit = black_box(context.cast_ray(position, direction, FAR, true, filter));
        Answer::hit(hit.map(|(_, distance)| distance))
    });
    // A list that is kept, as the others have it.
    let mut entities = Vec::new();
    exam.ask(Kind::Point, |question| {
        entities.clear();
        context.intersect_point(question.position, filter, |entity| {
            entities.push(entity);
            true
        });
        Answer::count(black_box(&entities).len())
    });
    exam.ask(Kind::Nearest, |question| {
        let nearest = black_box(context.project_point(question.position, f32::MAX, true, filter));
        nearest.map_or(Answer::count(0), |(_, nearest)| {
            let distance = nearest.point.distance(question.position);
            Answer::nearest(nearest.is_inside, distance)
        })
    });
    let circle = Collider::ball(RADIUS);
    let options = ShapeCastOptions::with_max_time_of_impact(FAR);
    exam.ask(Kind::Cast, |question| {
        let (position, direction) = (question.position, *question.direction);
        let circle = (&circle).into();
        let hit = context.cast_shape(position, 0.0, direction, circle, options, filter);
        Answer::hit(black_box(hit).map(|(_, hit)| hit.time_of_impact))
    });
}
