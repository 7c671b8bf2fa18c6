//! avian2d's `SpatialQuery`, called as its documentation shows.

use std::hint::black_box;

use avian2d::prelude::*;
use bevy::prelude::*;

use super::query_set::{self, MAX_DISTANCE, QueryKind, QueryResult, QuerySet};
use crate::{avian, runner::Engine, scenes::among_walls::RADIUS};

/// Walls are static bodies.
pub fn engine() -> Engine {
    Engine {
        name: "avian2d",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| avian::insert_collider(entity, body, false),
    }
}

fn install(app: &mut App) {
    avian::install(app);
    query_set::install(app, run_pass);
}

/// Shapes are solid: a query that starts inside a collider hits it at distance 0.
fn run_pass(query: SpatialQuery, mut queries: ResMut<QuerySet>) {
    let filter = SpatialQueryFilter::default();
    queries.measure(QueryKind::Ray, |input| {
        let hit = query.cast_ray(input.position, input.direction, MAX_DISTANCE, true, &filter);
        QueryResult::hit(black_box(hit).map(|hit| hit.distance))
    });
    // Reused in all queries, as with the other engines.
    let mut entities = Vec::new();
    queries.measure(QueryKind::Point, |input| {
        entities.clear();
        query.point_intersections_callback(input.position, &filter, |entity| {
            entities.push(entity);
            true
        });
        QueryResult::count(black_box(&entities).len())
    });
    queries.measure(QueryKind::Nearest, |input| {
        let nearest = black_box(query.project_point(input.position, true, &filter));
        nearest.map_or(QueryResult::count(0), |nearest| {
            let distance = nearest.point.distance(input.position);
            QueryResult::nearest(nearest.is_inside, distance)
        })
    });
    let circle = Collider::circle(RADIUS);
    let config = ShapeCastConfig::from_max_distance(MAX_DISTANCE);
    queries.measure(QueryKind::Cast, |input| {
        let (position, direction) = (input.position, input.direction);
        let hit = query.cast_shape(&circle, position, 0.0, direction, &config, &filter);
        QueryResult::hit(black_box(hit).map(|hit| hit.distance))
    });
}
