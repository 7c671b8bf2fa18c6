//! avian2d's `SpatialQuery`, called as its documentation shows.

use std::hint::black_box;

use avian2d::prelude::*;
use bevy::prelude::*;

use super::exam::{self, Answer, Exam, FAR, Kind};
use crate::{avian, scenes::among_walls::RADIUS, stage::Engine};

/// Walls are static bodies.
pub fn engine() -> Engine {
    Engine {
        name: "avian2d",
        install,
        diagnose: |_| {},
        equip: |entity, body| avian::equip(entity, body, false),
    }
}

fn install(app: &mut App) {
    avian::install(app);
    exam::install(app, ask);
}

/// Shapes are solid: what a question starts in is hit at once, and is at no distance.
fn ask(query: SpatialQuery, mut exam: ResMut<Exam>) {
    let filter = SpatialQueryFilter::default();
    exam.ask(Kind::Ray, |question| {
        let hit = query.cast_ray(question.position, question.direction, FAR, true, &filter);
        Answer::hit(black_box(hit).map(|hit| hit.distance))
    });
    // A list that is kept, as the others have it.
    let mut entities = Vec::new();
    exam.ask(Kind::Point, |question| {
        entities.clear();
        query.point_intersections_callback(question.position, &filter, |entity| {
            entities.push(entity);
            true
        });
        Answer::count(black_box(&entities).len())
    });
    exam.ask(Kind::Nearest, |question| {
        let nearest = black_box(query.project_point(question.position, true, &filter));
        nearest.map_or(Answer::count(0), |nearest| {
            let distance = nearest.point.distance(question.position);
            Answer::nearest(nearest.is_inside, distance)
        })
    });
    let circle = Collider::circle(RADIUS);
    let config = ShapeCastConfig::from_max_distance(FAR);
    exam.ask(Kind::Cast, |question| {
        let (position, direction) = (question.position, question.direction);
        let hit = query.cast_shape(&circle, position, 0.0, direction, &config, &filter);
        Answer::hit(black_box(hit).map(|hit| hit.distance))
    });
}
