//! The reference: which colliders collide by the documented rules, pair by pair, from Bevy's own
//! `GlobalTransform`s.

use std::collections::BTreeMap;

use bevy::{
    ecs::{
        entity_disabling::Disabled,
        query::{Allow, QueryData},
    },
    math::Affine2,
    prelude::*,
};
use bevy_thud::{geometry::Shape, prelude::*};

use super::rules::Role;

/// A collider with all that the documented rules depend on.
pub struct Reference {
    pub shape: Shape,
    pub role: Role<Entity>,
}

#[derive(QueryData)]
pub struct ColliderData {
    entity: Entity,
    global: &'static GlobalTransform,
    circle: Option<&'static CircleCollider>,
    rect: Option<&'static RectCollider>,
    capsule: Option<&'static CapsuleCollider>,
    polygon: Option<&'static PolygonCollider>,
    tiles: Option<&'static TileCollider>,
    layers: Option<&'static CollisionLayers>,
    ignores: Option<&'static Ignores>,
    mover: Option<&'static Mover>,
    solid: Has<Solid>,
    swept: Has<Swept>,
    disabled: Has<ColliderDisabled>,
}

/// The width scales by the factor across the capsule, the length with its ends by that along it.
fn capsule_in_world(
    capsule: &CapsuleCollider,
    axes: [Vec2; 2],
    to_world: impl Fn(Vec2) -> Vec2,
) -> Shape {
    let segment = capsule.end - capsule.start;
    let own = segment.try_normalize().unwrap_or(Vec2::X);
    let along = axes[0] * own.x + axes[1] * own.y;
    let across = axes[1] * own.x - axes[0] * own.y;
    let own_radius = capsule.radius.max(0.0);
    let radius = own_radius * across.length();
    let half = ((segment.length() / 2.0 + own_radius) * along.length() - radius).max(0.0);
    let direction = along
        .try_normalize()
        .unwrap_or(-across.perp().normalize_or_zero());
    let center = to_world(capsule.start.midpoint(capsule.end));
    Shape::capsule(center - direction * half, center + direction * half, radius)
}

/// The second axis is made perpendicular to the first one, on the same side.
fn without_shear([x_axis, y_axis]: [Vec2; 2]) -> [Vec2; 2] {
    let along = x_axis.try_normalize();
    let along = along.unwrap_or(-y_axis.perp().normalize_or(Vec2::NEG_Y));
    let side = if x_axis.perp_dot(y_axis) < 0.0 {
        -1.0
    } else {
        1.0
    };
    [x_axis, along.perp() * side * y_axis.length()]
}

/// Vertex by vertex, if it is convex. Others have the pieces of the original, on which their
/// contacts depend, and with a scale of zero it is the original rectangle, scaled.
fn polygon_in_world(
    polygon: &PolygonCollider,
    axes: [Vec2; 2],
    to_world: impl Fn(Vec2) -> Vec2,
) -> Shape {
    let [x_axis, y_axis] = without_shear(axes);
    let origin = to_world(Vec2::ZERO);
    let to_vertex = |vertex: &Vec2| origin + x_axis * vertex.x + y_axis * vertex.y;
    let vertices = polygon.vertices().iter().map(to_vertex);
    let convex = Shape::polygon(vertices)
        .ok()
        .filter(|_| polygon.polygon().is_single_piece());
    convex.unwrap_or_else(|| {
        let pose = Affine2::from_cols(axes[0], axes[1], origin);
        polygon.shape().transformed(&pose)
    })
}

fn tiles_in_world(tiles: &TileCollider, axes: [Vec2; 2], to_world: impl Fn(Vec2) -> Vec2) -> Shape {
    let pose = Affine2::from_cols(axes[0], axes[1], to_world(Vec2::ZERO));
    tiles.shape().transformed(&pose)
}

/// Every active collider, at its `GlobalTransform`.
pub fn reference_colliders(
    rows: Query<ColliderData>,
    parents: Query<&ChildOf, Allow<Disabled>>,
    movers: Query<Option<&Ignores>, (With<Mover>, Allow<Disabled>)>,
) -> BTreeMap<Entity, Reference> {
    let mut colliders = BTreeMap::new();
    for row in &rows {
        let affine = row.global.affine();
        let axes = [affine.x_axis.truncate(), affine.y_axis.truncate()];
        let center = |offset: Vec2| affine.transform_point3(offset.extend(0.0)).truncate();
        let others = (row.polygon, row.tiles);
        let shape = match (row.circle, row.rect, row.capsule) {
            (Some(circle), _, _) => Shape::circle(
                center(circle.offset),
                circle.radius * axes[0].length().max(axes[1].length()),
            ),
            (None, Some(rect), _) => {
                let size = rect.size * Vec2::new(axes[0].length(), axes[1].length());
                let angle = if axes[0] == Vec2::ZERO {
                    -axes[1].perp()
                } else {
                    axes[0]
                };
                Shape::rect(center(rect.offset), size, Rot2::radians(angle.to_angle()))
            }
            (None, None, Some(capsule)) => capsule_in_world(capsule, axes, center),
            (None, None, None) => match others {
                (Some(polygon), _) => polygon_in_world(polygon, axes, center),
                (None, Some(tiles)) => tiles_in_world(tiles, axes, center),
                (None, None) => continue,
            },
        };
        if row.disabled || !affine.is_finite() {
            continue;
        }
        let ancestors: Vec<Entity> = parents.iter_ancestors(row.entity).collect();
        let mut line = [row.entity].into_iter().chain(ancestors.iter().copied());
        let blocked_by = row.mover.map(|mover| match mover.response {
            MoverResponse::Pass => 0,
            _ => mover.blocked_by.0,
        });
        let layers = row.layers.copied().unwrap_or_default();
        let body = line.find(|&entity| movers.contains(entity));
        let of_body = body.and_then(|body| movers.get(body).ok().flatten());
        let role = Role {
            id: row.entity,
            memberships: layers.memberships.0,
            filters: layers.filters.0,
            ignored: (row.ignores.into_iter().chain(of_body))
                .map(|ignores| ignores.entity)
                .collect(),
            is_solid: row.solid,
            is_swept: row.swept,
            blocked_by,
            body,
            ancestors,
        };
        colliders.insert(row.entity, Reference { shape, role });
    }
    colliders
}

/// The distance below which a pair overlaps, or `None` if the rules exclude it.
pub fn overlap_distance(p: &Reference, q: &Reference, settings: &CollisionSettings) -> Option<f32> {
    let distance = p.role.overlap_distance(&q.role, settings.margin.into());
    (p.role.may_collide(&q.role, settings.solid_pairs)).then_some(distance as f32)
}
