//! The surfaces that a walker touches: floor, wall and ceiling.

use bevy::math::Vec2;

use crate::{
    events::{BlockingHit, SurfaceContact, TouchedSurfaces},
    geometry::{Shape, closest_points, has_edge, separation},
    index::ColliderIndex,
    movement::{
        body::{Footing, Walk, WalkRules},
        obstacles::{MoverPose, NearObstacle, Obstacle, Obstacles},
        tolerances::EQUALLY_FLAT,
        world_order::by_world,
    },
};

/// Returns the surfaces that a walker touches, among the obstacles selected as near.
pub(crate) fn surfaces_at(
    walk: &Walk,
    pose: &MoverPose,
    obstacles: &Obstacles,
    index: &ColliderIndex,
) -> Footing {
    let rules = &walk.rules;
    let drops_through = walk.drops_through && touches_what_it_passes(pose, obstacles);
    let contact_of = |near: NearObstacle| {
        let Obstacle { order, slot, .. } = near.obstacle;
        let normal = near.surface.normal;
        let hit = BlockingHit::at(index, order.entity, *slot, point_of(&near, pose), normal);
        SurfaceContact {
            entity: hit.blocker,
            normal,
            point: hit.point,
            cell: hit.cell,
        }
    };
    let floor = best_floor(rules, drops_through, pose, obstacles);
    let anchor = floor.map_or(Vec2::ZERO, |near| anchor_on(&near, pose));
    let others = || {
        touched(drops_through, pose, obstacles).filter(|near| {
            !rules.is_floor(near.surface.normal)
                && !is_flush_with_edge(near, pose, obstacles)
                && !is_one_way_vertex(near)
        })
    };
    let is_ceiling = |near: &NearObstacle| rules.is_ceiling(near.surface.normal);
    let slant = |near: &NearObstacle| near.surface.normal.dot(rules.up);
    let by_slant = |p: &NearObstacle, q: &NearObstacle| {
        (slant(p).abs().total_cmp(&slant(q).abs()))
            .then_with(|| by_world(&p.obstacle.shape, &q.obstacle.shape))
            .then(p.obstacle.order.cmp(&q.obstacle.order))
    };
    let wall = others().filter(|near| !is_ceiling(near)).min_by(by_slant);
    let ceiling = others().filter(is_ceiling).max_by(by_slant);
    Footing {
        surfaces: TouchedSurfaces {
            floor: floor.map(contact_of),
            wall: wall.map(contact_of),
            ceiling: ceiling.map(contact_of),
        },
        is_on_edge: floor.is_some_and(|near| is_edge(&near)),
        floor_mover: floor.and_then(|near| index.at(near.obstacle.slot)?.mover()),
        landing_speed: 0.0,
        anchor,
        drops_through,
        is_conveyor_blocked: false,
    }
}

/// The floor with the most upward normal that a walker touches. Of equally flat ones, the one most
/// directly below its center.
pub(crate) fn best_floor<'a>(
    rules: &WalkRules,
    drops_through: bool,
    pose: &'a MoverPose,
    obstacles: &'a Obstacles,
) -> Option<NearObstacle<'a>> {
    let is_floor = |near: &NearObstacle| rules.is_floor(near.surface.normal);
    let floors = || touched(drops_through, pose, obstacles).filter(is_floor);
    let flatness = |near: &NearObstacle| near.surface.normal.dot(rules.up);
    let flattest = floors().map(|near| flatness(&near)).reduce(f32::max)?;
    let mut equal = floors().filter(|near| flatness(near) >= flattest - EQUALLY_FLAT);
    let first = equal.next()?;
    let aside = |near: &NearObstacle| {
        (point_of(near, pose) - pose.shape.center())
            .dot(rules.right())
            .abs()
    };
    Some(equal.fold(first, |best, near| {
        let order = (aside(&near).total_cmp(&aside(&best)))
            .then_with(|| by_world(&near.obstacle.shape, &best.obstacle.shape))
            .then(near.obstacle.order.cmp(&best.obstacle.order));
        if order.is_lt() { near } else { best }
    }))
}

/// The obstacles that a walker touches and may stand on or be stopped by.
fn touched<'a>(
    drops_through: bool,
    pose: &'a MoverPose,
    obstacles: &'a Obstacles,
) -> impl Iterator<Item = NearObstacle<'a>> {
    obstacles.near().filter(move |near| {
        let obstacle = near.obstacle;
        is_touched(near, pose)
            && !(drops_through && obstacle.one_way.is_some())
            && obstacle.faces(near.surface.normal)
            && obstacle.is_outside(&pose.shape)
    })
}

fn is_touched(near: &NearObstacle, pose: &MoverPose) -> bool {
    near.surface.distance <= pose.contact_distance + pose.slop
}

/// Whether a walker still touches a one-way floor that it touched when the update began.
fn touches_what_it_passes(pose: &MoverPose, obstacles: &Obstacles) -> bool {
    (obstacles.passed.iter())
        .any(|wall| separation(&pose.shape, wall).distance <= pose.contact_distance + pose.slop)
}

/// Whether an edge or a round surface is touched, not a vertex, which may be flush with an edge.
fn is_edge(near: &NearObstacle) -> bool {
    let is_round = matches!(
        near.obstacle.shape,
        Shape::Circle { .. } | Shape::Capsule { .. }
    );
    near.surface.is_edge || is_round
}

fn is_edge_of_obstacle(near: &NearObstacle) -> bool {
    has_edge(&near.obstacle.shape, near.surface.normal)
}

/// Whether a vertex of a one-way obstacle is touched, past which a walker may move.
fn is_one_way_vertex(near: &NearObstacle) -> bool {
    near.obstacle.one_way.is_some() && !is_edge_of_obstacle(near)
}

/// Whether a vertex is flush with an edge of another obstacle that is touched, or behind it. An
/// edge of the walker may touch it.
fn is_flush_with_edge(vertex: &NearObstacle, pose: &MoverPose, obstacles: &Obstacles) -> bool {
    let point = || point_of(vertex, pose);
    let is_edge_of_walker = || vertex.surface.is_edge && !is_edge_of_obstacle(vertex);
    (!is_edge(vertex) || is_edge_of_walker())
        && (obstacles.near()).any(|near| {
            let normal = near.surface.normal;
            is_touched(&near, pose)
                && is_edge(&near)
                && (point() - point_of(&near, pose)).dot(normal) <= pose.slop
        })
}

/// The point of an obstacle's surface that a walker touches.
fn point_of(near: &NearObstacle, pose: &MoverPose) -> Vec2 {
    closest_points(near.piece(pose), &near.obstacle.shape, -near.surface.normal).1
}

/// The point that a floor carries along, relative to the walker's center. For a round walker, the
/// center of the circle that touches the floor, so that a turning floor does not slip away under
/// it; otherwise the touched point.
fn anchor_on(near: &NearObstacle, pose: &MoverPose) -> Vec2 {
    let radius = match pose.shape {
        Shape::Circle { radius, .. } | Shape::Capsule { radius, .. } => {
            radius + near.surface.distance
        }
        _ => 0.0,
    };
    point_of(near, pose) + near.surface.normal * radius - pose.shape.center()
}
