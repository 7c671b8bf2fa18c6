//! The `SpatialQuery` of this crate.

use std::hint::black_box;

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

use super::exam::{self, Answer, Exam, FAR, Kind};
use crate::{ours, scenes::among_walls::RADIUS, stage::Engine};

/// Walls are solid colliders.
pub fn engine() -> Engine {
    Engine {
        install,
        ..ours::engine()
    }
}

fn install(app: &mut App) {
    app.add_plugins(CollisionPlugin::default());
    exam::install(app, ask);
}

fn ask(query: SpatialQuery, mut exam: ResMut<Exam>) {
    let filter = SpatialQueryFilter::default();
    exam.ask(Kind::Ray, |question| {
        let ray = Ray2d::new(question.position, question.direction);
        let hit = black_box(query.cast_ray(ray, FAR, &filter));
        Answer::hit(hit.map(|hit| hit.distance))
    });
    let mut entities = Vec::new();
    exam.ask(Kind::Point, |question| {
        query.point_intersections_into(question.position, &filter, &mut entities);
        Answer::count(black_box(&entities).len())
    });
    exam.ask(Kind::Nearest, |question| {
        let nearest = black_box(query.project_point(question.position, f32::INFINITY, &filter));
        nearest.map_or(Answer::count(0), |nearest| {
            Answer::nearest(nearest.is_inside(), nearest.distance)
        })
    });
    exam.ask(Kind::Cast, |question| {
        let circle = Shape::circle(question.position, RADIUS);
        let hit = black_box(query.cast_shape(&circle, question.direction * FAR, &filter));
        Answer::hit(hit.map(|hit| hit.distance))
    });
}
