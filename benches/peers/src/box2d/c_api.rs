//! Worlds of Box2D.

use std::{
    ffi::c_void,
    time::{Duration, Instant},
};

use bevy::prelude::*;
use boxdd_sys::ffi::*;

use super::scene::{FieldBox, FieldCast, FieldQuery};
use crate::scenes::{Body, ColliderShape, app::TIMESTEP};

/// The substeps of a step, as Box2D recommends.
const SUBSTEPS: i32 = 4;

/// Box2D's margins are made for bodies of about a meter.
const METERS_PER_UNIT: f32 = 0.1;

/// Resting boxes.
pub struct Field(World);

/// Moving circles that report each other.
pub struct Crowd(World);

/// A world, destroyed on drop.
struct World(b2WorldId);

impl World {
    fn new(workers: usize) -> Self {
        // SAFETY: the definition has its defaults, and no pointers.
        unsafe {
            let mut def = b2DefaultWorldDef();
            def.gravity = vec(Vec2::ZERO);
            def.workerCount = workers as i32;
            Self(b2CreateWorld(&def))
        }
    }

    /// Adds a body.
    fn body(&self, kind: b2BodyType, position: Vec2, velocity: Vec2) -> b2BodyId {
        // SAFETY: the world exists, and the definition lives during the call.
        unsafe {
            let mut def = b2DefaultBodyDef();
            def.type_ = kind;
            def.position = vec(position);
            def.linearVelocity = vec(velocity);
            b2CreateBody(self.0, &def)
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the world exists.
        unsafe { b2DestroyWorld(self.0) }
    }
}

impl Field {
    pub fn new(boxes: &[FieldBox]) -> Self {
        let world = World::new(1);
        for FieldBox {
            center,
            half_size,
            layer,
        } in boxes
        {
            let body = world.body(b2BodyType_b2_staticBody, *center, Vec2::ZERO);
            // SAFETY: the body exists, and definition and polygon live during the call.
            unsafe {
                let mut def = b2DefaultShapeDef();
                def.filter.categoryBits = 1 << layer;
                b2CreatePolygonShape(body, &def, &b2MakeBox(half_size.x, half_size.y));
            }
        }
        Self(world)
    }

    pub fn rebuild_tree(&self) {
        // SAFETY: the world exists.
        unsafe { b2World_RebuildStaticTree(self.0.0) }
    }

    /// Makes all queries of a kind, and returns the number of hits.
    pub fn query(&self, query: FieldQuery, casts: &[FieldCast]) -> u64 {
        casts.iter().map(|cast| self.query_one(query, cast)).sum()
    }

    fn query_one(&self, query: FieldQuery, cast: &FieldCast) -> u64 {
        let world = self.0.0;
        let (origin, displacement) = (vec(cast.origin), vec(cast.displacement));
        // SAFETY: the world exists; proxies and results live during the calls, and the functions
        // that are called back take the results for what they are.
        unsafe {
            let mut filter = b2DefaultQueryFilter();
            filter.maskBits = 1;
            match query {
                FieldQuery::Ray => {
                    let result = b2World_CastRayClosest(world, origin, displacement, filter);
                    result.hit.into()
                }
                FieldQuery::CircleCast { radius } => {
                    let proxy = b2MakeProxy(&vec(Vec2::ZERO), 1, radius);
                    let mut is_hit = false;
                    let context = (&raw mut is_hit).cast();
                    let closest = Some(take_closest as _);
                    b2World_CastShape(
                        world,
                        origin,
                        &proxy,
                        displacement,
                        filter,
                        closest,
                        context,
                    );
                    is_hit.into()
                }
                FieldQuery::Overlap { radius } => {
                    let mut found: Vec<b2ShapeId> = Vec::new();
                    let half = Vec2::splat(radius);
                    let bounds = b2AABB {
                        lowerBound: vec(-half),
                        upperBound: vec(half),
                    };
                    let context = (&raw mut found).cast();
                    b2World_OverlapAABB(world, origin, bounds, filter, Some(collect), context);
                    found.len() as u64
                }
            }
        }
    }
}

/// Shortens the cast to this hit.
unsafe extern "C" fn take_closest(
    _: b2ShapeId,
    _: b2Pos,
    _: b2Vec2,
    fraction: f32,
    is_hit: *mut c_void,
) -> f32 {
    // SAFETY: `query_one` passes a bool.
    unsafe { *is_hit.cast::<bool>() = true };
    fraction
}

unsafe extern "C" fn collect(shape: b2ShapeId, found: *mut c_void) -> bool {
    // SAFETY: `query_one` passes this list.
    unsafe { (*found.cast::<Vec<b2ShapeId>>()).push(shape) };
    true
}

impl Crowd {
    /// Circles on kinematic bodies, which is what Box2D has for what moves by itself.
    pub fn new(bodies: &[Body], workers: usize) -> Self {
        let world = World::new(workers);
        for body in bodies {
            let Some(ColliderShape::Circle(radius)) = body.shape else {
                continue;
            };
            let kind = b2BodyType_b2_kinematicBody;
            let [position, velocity] =
                [body.position, body.velocity].map(|of_body| METERS_PER_UNIT * of_body);
            let id = world.body(kind, position, velocity);
            // SAFETY: the body exists, and definition and circle live during the call.
            unsafe {
                let mut def = b2DefaultShapeDef();
                def.isSensor = true;
                def.enableSensorEvents = true;
                let circle = b2Circle {
                    center: vec(Vec2::ZERO),
                    radius: METERS_PER_UNIT * radius,
                };
                b2CreateCircleShape(id, &def, &circle);
            }
        }
        Self(world)
    }

    /// Makes a step. Returns its time, and how many pairs began to overlap.
    pub fn step(&mut self) -> (Duration, u64) {
        let start = Instant::now();
        // SAFETY: the world exists. The events are counted before the next step.
        let events = unsafe {
            b2World_Step(self.0.0, TIMESTEP.as_secs_f32(), SUBSTEPS);
            b2World_GetSensorEvents(self.0.0)
        };
        (start.elapsed(), events.beginCount as u64 / 2)
    }
}

fn vec(vector: Vec2) -> b2Vec2 {
    b2Vec2 {
        x: vector.x,
        y: vector.y,
    }
}
