//! bevy_rapier2d's `RapierContext`, called as its documentation shows.

use std::hint::black_box;

use bevy::prelude::*;
use bevy_rapier2d::prelude::*;

use super::query_set::{self, MAX_DISTANCE, QueryKind, QueryResult, QuerySet};
use crate::{rapier, runner::Engine, scenes::among_walls::RADIUS};

/// Walls are colliders without a body.
pub fn engine() -> Engine {
    Engine {
        name: "rapier2d",
        install,
        install_diagnostics: |_| {},
        insert_components: |entity, body| rapier::insert_collider(entity, body, false),
    }
}

fn install(app: &mut App) {
    rapier::install(app);
    query_set::install(app, run_pass);
}

/// Shapes are solid: a query that starts inside a collider hits it at distance 0.
fn run_pass(context: ReadRapierContext, mut queries: ResMut<QuerySet>) {
    let Ok(context) = context.single() else {
        return;
    };
    let filter = QueryFilter::default();
    queries.measure(QueryKind::Ray, |input| {
        let (position, direction) = (input.position, *input.direction);
        let hit = black_box(context.cast_ray(position, direction, MAX_DISTANCE, true, filter));
        QueryResult::hit(hit.map(|(_, distance)| distance))
    });
    // Reused in all queries, as with the other engines.
    let mut entities = Vec::new();
    queries.measure(QueryKind::Point, |input| {
        entities.clear();
        context.intersect_point(input.position, filter, |entity| {
            entities.push(entity);
            true
        });
        QueryResult::count(black_box(&entities).len())
    });
    queries.measure(QueryKind::Nearest, |input| {
        let nearest = black_box(context.project_point(input.position, f32::MAX, true, filter));
        nearest.map_or(QueryResult::count(0), |(_, nearest)| {
            let distance = nearest.point.distance(input.position);
            QueryResult::nearest(nearest.is_inside, distance)
        })
    });
    let circle = Collider::ball(RADIUS);
    let options = ShapeCastOptions::with_max_time_of_impact(MAX_DISTANCE);
    queries.measure(QueryKind::Cast, |input| {
        let (position, direction) = (input.position, *input.direction);
        let circle = (&circle).into();
        let hit = context.cast_shape(position, 0.0, direction, circle, options, filter);
        QueryResult::hit(black_box(hit).map(|(_, hit)| hit.time_of_impact))
    });
}
