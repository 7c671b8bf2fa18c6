//! `SpatialQuery` against brute force, over random scenes.

use std::{collections::BTreeMap, f32::consts::TAU};

use bevy::prelude::*;
use bevy_thud::{
    geometry::{self, CastHit, Separation, Shape},
    prelude::*,
};

use crate::common::{
    reference::{Reference, reference_colliders},
    scene::Scene,
    *,
};

/// The rounding of a surface in these scenes, which stay within a few hundred units.
const ROUNDING: f32 = 2e-3;

/// A query of a scene, in all forms.
#[derive(Clone, Debug)]
struct QueryInput {
    ray: Ray2d,
    length: f32,
    shape: Shape,
    layers: QueryLayers,
    excluded: Entity,
    /// Whether the body of that mover is excluded as well.
    is_of_body: bool,
    is_only_solid: bool,
}

#[derive(Clone, Copy, Debug)]
enum QueryLayers {
    All,
    Only(LayerMask),
    CollidingWith(CollisionLayers),
}

/// The results of the plugin.
#[derive(Clone, Debug, PartialEq)]
struct QueryResults {
    ray: Option<(Entity, CastHit)>,
    ray_hits: Vec<(Entity, CastHit)>,
    cast: Option<(Entity, CastHit)>,
    shape_hits: Vec<(Entity, CastHit)>,
    overlapping: Vec<Entity>,
    containing: Vec<Entity>,
    nearest: Option<(Entity, Separation)>,
    /// Of those in which they do not start.
    ray_outside: Option<(Entity, CastHit)>,
    cast_outside: Option<(Entity, CastHit)>,
    contacts: Vec<(Entity, Contact)>,
    nearest_to_shape: Option<(Entity, Separation)>,
}

impl QueryInput {
    /// Filters of all kinds, in turn.
    fn any(scene: &mut Scene, number: usize) -> Self {
        let origin = scene.vec2(60.0);
        let angle = scene.rng.f32() * TAU;
        let direction = match scene.rng.u8(0..4) {
            0 => Dir2::NEG_X,
            1 => Dir2::Y,
            _ => Rot2::radians(angle) * Dir2::X,
        };
        let size = Vec2::new(scene.rng.f32(), scene.rng.f32()) * 12.0;
        let shape = match scene.rng.bool() {
            true => Shape::circle(origin, size.x),
            false => Shape::rect(origin, size, Rot2::radians(angle)),
        };
        let layers = match scene.rng.u8(0..3) {
            0 => QueryLayers::CollidingWith(scene.layers()),
            1 => QueryLayers::Only(scene.layers().memberships),
            _ => QueryLayers::All,
        };
        Self {
            ray: Ray2d::new(origin, direction),
            length: [30.0, 200.0, f32::INFINITY][scene.rng.usize(0..3)],
            shape,
            layers,
            excluded: scene.entities[scene.rng.usize(0..scene.entities.len())],
            is_of_body: number.is_multiple_of(2),
            is_only_solid: number % 4 == 3,
        }
    }

    fn filter(&self) -> SpatialQueryFilter {
        let filter = match self.layers {
            QueryLayers::All => SpatialQueryFilter::default(),
            QueryLayers::Only(layers) => SpatialQueryFilter::only(layers),
            QueryLayers::CollidingWith(layers) => SpatialQueryFilter::default().with_layers(layers),
        };
        let filter = match self.is_of_body {
            true => filter.exclude_body(self.excluded),
            false => filter.exclude(self.excluded),
        };
        match self.is_only_solid {
            true => filter.only_solid(),
            false => filter,
        }
    }

    /// Whether it considers a collider, by the documented rules.
    fn is_about(&self, entity: Entity, collider: &Reference) -> bool {
        let role = &collider.role;
        let is_carried = self.is_of_body && role.body == Some(self.excluded);
        entity != self.excluded
            && !is_carried
            && (role.is_solid || !self.is_only_solid)
            && match self.layers {
                QueryLayers::All => true,
                QueryLayers::Only(layers) => layers.0 & role.memberships != 0,
                QueryLayers::CollidingWith(layers) => {
                    layers.filters.0 & role.memberships != 0
                        && role.filters & layers.memberships.0 != 0
                }
            }
    }

    /// As a displacement.
    fn displacement(&self) -> Vec2 {
        self.ray.direction * self.length.min(1000.0)
    }

    fn run(&self, query: &SpatialQuery) -> QueryResults {
        let Self {
            ray, length, shape, ..
        } = self;
        let filter = &self.filter();
        let outside = &self.filter().skip_starts_inside();
        QueryResults {
            ray_outside: query.cast_ray(*ray, *length, outside),
            cast_outside: query.cast_shape(shape, self.displacement(), outside),
            contacts: query.shape_contacts(shape, filter).collect(),
            nearest_to_shape: query.project_shape(shape, *length, filter),
            ray: query.cast_ray(*ray, *length, filter),
            ray_hits: query.ray_hits(*ray, *length, filter).collect(),
            cast: query.cast_shape(shape, self.displacement(), filter),
            shape_hits: query
                .shape_hits(shape, self.displacement(), filter)
                .collect(),
            overlapping: query.shape_intersections(shape, filter).collect(),
            containing: query.point_intersections(ray.origin, filter).collect(),
            nearest: query.project_point(ray.origin, *length, filter),
        }
    }
}

fn run_queries(app: &mut App, inputs: &[QueryInput]) -> Vec<QueryResults> {
    let inputs = inputs.to_vec();
    run_system(app, move |query: SpatialQuery| {
        inputs
            .iter()
            .map(|input| input.run(&query))
            .collect::<Vec<_>>()
    })
}

/// The least and the greatest value for a shape that is moved by no more than rounding, or `None`
/// if one has no value.
fn nearly(shape: &Shape, measure: impl Fn(&Shape) -> Option<f32>) -> [Option<f32>; 2] {
    let aside = [Vec2::ZERO, Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];
    let mut found = aside.map(|aside| measure(&shape.translated(aside * ROUNDING)));
    found.sort_by(|p, q| p.partial_cmp(q).unwrap());
    [found[0], found[4]]
}

/// Whether it holds for a shape, except for rounding.
fn agrees(found: Option<f32>, shape: &Shape, measure: impl Fn(&Shape) -> Option<f32>) -> bool {
    match (found, nearly(shape, measure)) {
        (None, [least, _]) => least.is_none(),
        (Some(_), [_, None]) => false,
        (Some(found), [least, Some(most)]) => {
            found <= most + ROUNDING && least.is_none_or(|least| found >= least - ROUNDING)
        }
    }
}

/// The results against brute force.
fn check(input: &QueryInput, results: &QueryResults, colliders: &BTreeMap<Entity, Reference>) {
    let QueryInput {
        ray, length, shape, ..
    } = input;
    let (origin, far) = (ray.origin, length.min(1000.0));
    let along_ray = |shape: &Shape| {
        geometry::cast_ray(shape, origin, ray.direction * far).map(|hit| hit.fraction * far)
    };
    let along_displacement = |other: &Shape| {
        geometry::cast_shape(shape, input.displacement(), other).map(|hit| hit.fraction * far)
    };
    let to_point =
        |other: &Shape| geometry::separation(&Shape::circle(origin, 0.0), other).distance;
    let overlaps = |other: &Shape| geometry::contact(shape, other).map(|_| 0.0);
    let contains = |other: &Shape| geometry::contains_point(other, origin).then_some(0.0);
    let to_shape = |other: &Shape| geometry::separation(shape, other).distance;
    let (mut nearest, mut nearest_to_shape) = (f32::INFINITY, f32::INFINITY);
    for (entity, Reference { shape, .. }) in colliders {
        let hit = results.ray_hits.iter().find(|(known, _)| known == entity);
        let shape_hit = (results.shape_hits.iter()).find(|(known, _)| known == entity);
        let is_overlapping = results.overlapping.contains(entity).then_some(0.0);
        let is_containing = results.containing.contains(entity).then_some(0.0);
        let context = format!("{entity} {shape:?}\n{input:?}\n{results:?}");
        assert!(
            agrees(hit.map(|(_, hit)| hit.distance), shape, along_ray),
            "{context}"
        );
        assert!(agrees(is_overlapping, shape, overlaps), "{context}");
        assert!(agrees(is_containing, shape, contains), "{context}");
        assert!(
            agrees(
                shape_hit.map(|(_, hit)| hit.distance),
                shape,
                along_displacement
            ),
            "{context}"
        );
        if let Some((_, found)) = results.nearest.filter(|(known, _)| known == entity) {
            assert!(
                (found.distance - to_point(shape)).abs() < ROUNDING,
                "{context}"
            );
            let there = found.point_b - found.normal * found.distance;
            assert!(there.distance(origin) < 2.0 * ROUNDING, "{context}");
            assert_eq!(found.point_a, origin, "{context}");
        }
        if let Some((_, found)) = (results.nearest_to_shape).filter(|(known, _)| known == entity) {
            let distance = to_shape(shape);
            assert!((found.distance - distance).abs() < ROUNDING, "{context}");
        }
        nearest = nearest.min(to_point(shape));
        nearest_to_shape = nearest_to_shape.min(to_shape(shape));
    }
    let found = results.nearest.map_or(*length, |(_, found)| found.distance);
    assert!(found <= nearest + ROUNDING, "{input:?} {results:?}");
    let found = results
        .nearest_to_shape
        .map_or(*length, |(_, found)| found.distance);
    assert!(
        found <= nearest_to_shape + ROUNDING,
        "{input:?} {results:?}"
    );
}

/// What has to hold for any colliders.
fn check_form(input: &QueryInput, results: &QueryResults, colliders: &BTreeMap<Entity, Reference>) {
    let by_distance = |(entity, hit): &(Entity, CastHit)| (hit.distance.to_bits(), *entity);
    assert!(results.ray_hits.is_sorted_by_key(by_distance));
    assert_eq!(results.ray, results.ray_hits.first().copied());
    let by_fraction = |(entity, hit): &(Entity, CastHit)| (hit.fraction.to_bits(), *entity);
    assert!(results.shape_hits.is_sorted_by_key(by_fraction));
    assert_eq!(results.cast, results.shape_hits.first().copied());
    let outside = results.ray_hits.iter().find(|(_, hit)| !hit.starts_inside);
    assert_eq!(results.ray_outside, outside.copied());
    let outside = results
        .shape_hits
        .iter()
        .find(|(_, hit)| !hit.starts_inside);
    assert_eq!(results.cast_outside, outside.copied());
    let touched: Vec<Entity> = results.contacts.iter().map(|(entity, _)| *entity).collect();
    assert_eq!(touched, results.overlapping);
    for &(_, contact) in &results.contacts {
        assert!(
            contact.depth > 0.0 && contact.normal.is_normalized(),
            "{contact:?}"
        );
    }
    assert!(results.overlapping.is_sorted());
    assert!(results.containing.is_sorted());
    for (_, hit) in &results.ray_hits {
        assert!(hit.normal.is_normalized(), "{hit:?}");
        let there = input.ray.get_point(hit.distance);
        assert!(there.distance(hit.point) < ROUNDING, "{hit:?}");
    }
    for (_, hit) in &results.shape_hits {
        assert!(hit.normal.is_normalized(), "{hit:?}");
        assert!((hit.fraction * input.displacement().length() - hit.distance).abs() < ROUNDING);
    }
    let hits = results.ray_hits.iter().chain(&results.shape_hits);
    let entities = hits
        .map(|(entity, _)| *entity)
        .chain(results.overlapping.iter().copied())
        .chain(results.containing.iter().copied())
        .chain(results.nearest.map(|(entity, _)| entity));
    for entity in entities {
        assert!(colliders.contains_key(&entity), "{entity} takes no part");
    }
}

/// The colliders that a query considers, computed from the world.
fn allowed(app: &mut App, input: &QueryInput) -> BTreeMap<Entity, Reference> {
    let mut colliders = run_system(app, reference_colliders);
    colliders.retain(|entity, collider| input.is_about(*entity, collider));
    colliders
}

/// Performs random queries of a scene, and compares the results with brute force. Returns the
/// number of results.
pub fn check_queries(scene: &mut Scene, count: usize) -> usize {
    let inputs: Vec<QueryInput> = (0..count)
        .map(|number| QueryInput::any(scene, number))
        .collect();
    let all_results = run_queries(&mut scene.app, &inputs);
    let mut found = 0;
    for (input, results) in inputs.iter().zip(&all_results) {
        let colliders = allowed(&mut scene.app, input);
        check(input, results, &colliders);
        check_form(input, results, &colliders);
        found += results.ray_hits.len() + results.shape_hits.len();
        found += results.overlapping.len() + results.containing.len();
    }
    found
}

#[test]
fn every_result_is_that_of_testing_every_collider() {
    let mut found = 0;
    for seed in 0..6 {
        let mut scene = Scene::new(seed, 80);
        for _ in 0..12 {
            (0..4).for_each(|_| scene.change_something());
            scene.frame(60);
            found += check_queries(&mut scene, 15);
        }
    }
    assert!(found > 1000, "the scenes are too empty: {found}");
}
