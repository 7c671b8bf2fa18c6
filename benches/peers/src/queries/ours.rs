//! The `SpatialQuery` of this crate.

use std::hint::black_box;

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

use super::query_set::{self, MAX_DISTANCE, QueryKind, QueryResult, QuerySet};
use crate::{ours, runner::Engine, scenes::among_walls::RADIUS};

/// Walls are solid colliders.
pub fn engine() -> Engine {
    Engine {
        install,
        ..ours::engine()
    }
}

fn install(app: &mut App) {
    app.add_plugins(CollisionPlugin::default());
    query_set::install(app, run_pass);
}

fn run_pass(query: SpatialQuery, mut queries: ResMut<QuerySet>) {
    let filter = SpatialQueryFilter::default();
    queries.measure(QueryKind::Ray, |input| {
        let ray = Ray2d::new(input.position, input.direction);
        let hit = black_box(query.cast_ray(ray, MAX_DISTANCE, &filter));
        QueryResult::hit(hit.map(|(_, hit)| hit.distance))
    });
    queries.measure(QueryKind::Point, |input| {
        let entities = black_box(query.point_intersections(input.position, &filter));
        QueryResult::count(entities.len())
    });
    queries.measure(QueryKind::Nearest, |input| {
        let nearest = black_box(query.project_point(input.position, f32::INFINITY, &filter));
        nearest.map_or(QueryResult::count(0), |(_, nearest)| {
            QueryResult::nearest(nearest.distance < 0.0, nearest.distance)
        })
    });
    queries.measure(QueryKind::Cast, |input| {
        let circle = Shape::circle(input.position, RADIUS);
        let hit = black_box(query.cast_shape(&circle, input.direction * MAX_DISTANCE, &filter));
        QueryResult::hit(hit.map(|(_, hit)| hit.distance))
    });
}
