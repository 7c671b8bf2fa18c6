//! What collides with what by the rules of the documentation, worked out pair by pair from Bevy's own `GlobalTransform`s.

use std::collections::BTreeMap;

use bevy::{
    ecs::{
        entity_disabling::Disabled,
        query::{Allow, QueryData},
    },
    prelude::*,
};
use bevy_thud::{geometry::Shape, prelude::*};

/// The skin of all movers in these scenes: the default.
const SKIN: f32 = 0.02;

/// A collider as the rules of the documentation see it.
pub struct Reference {
    pub shape: Shape,
    pub layers: CollisionLayers,
    solid: bool,
    /// The layers that block it, if it is a mover.
    blocked_by: Option<LayerMask>,
    ancestors: Vec<Entity>,
    /// The nearest mover among the entity and its ancestors.
    body: Option<Entity>,
}

#[derive(QueryData)]
pub struct Parts {
    entity: Entity,
    global: &'static GlobalTransform,
    circle: Option<&'static CircleCollider>,
    rect: Option<&'static RectCollider>,
    layers: Option<&'static CollisionLayers>,
    mover: Option<&'static Mover>,
    solid: Has<Solid>,
    disabled: Has<ColliderDisabled>,
}

/// Every collider that takes part, with its place by Bevy's own account.
pub fn reference_colliders(
    parts: Query<Parts>,
    parents: Query<&ChildOf, Allow<Disabled>>,
    movers: Query<(), (With<Mover>, Allow<Disabled>)>,
) -> BTreeMap<Entity, Reference> {
    let mut colliders = BTreeMap::new();
    for part in &parts {
        let affine = part.global.affine();
        let axes = [affine.x_axis.truncate(), affine.y_axis.truncate()];
        let center = |offset: Vec2| affine.transform_point3(offset.extend(0.0)).truncate();
        let shape = match (part.circle, part.rect) {
            (Some(circle), _) => Shape::circle(
                center(circle.offset),
                circle.radius * axes[0].length().max(axes[1].length()),
            ),
            (None, Some(rect)) => {
                let size = rect.size * Vec2::new(axes[0].length(), axes[1].length());
                let angle = if axes[0] == Vec2::ZERO {
                    -axes[1].perp()
                } else {
                    axes[0]
                };
                Shape::rect(center(rect.offset), size, Rot2::radians(angle.to_angle()))
            }
            (None, None) => continue,
        };
        if part.disabled || !affine.is_finite() {
            continue;
        }
        let ancestors: Vec<Entity> = parents.iter_ancestors(part.entity).collect();
        let mut line = [part.entity].into_iter().chain(ancestors.iter().copied());
        let blocked_by = part.mover.map(|mover| match mover.response {
            MoverResponse::Pass => LayerMask::NONE,
            _ => mover.blocked_by,
        });
        let collider = Reference {
            shape,
            layers: part.layers.copied().unwrap_or_default(),
            solid: part.solid,
            blocked_by,
            body: line.find(|&entity| movers.contains(entity)),
            ancestors,
        };
        colliders.insert(part.entity, collider);
    }
    colliders
}

/// The distance within which a pair counts as touching; none, if the rules do not let it.
pub fn reach(
    (a, p): (Entity, &Reference),
    (b, q): (Entity, &Reference),
    settings: &CollisionSettings,
) -> Option<f32> {
    let sees = |x: &Reference, y: &Reference| x.layers.filters.0 & y.layers.memberships.0 != 0;
    let walls = p.solid && q.solid && p.body.is_none() && q.body.is_none();
    let one_body = (p.body.is_some() && p.body == q.body)
        || p.ancestors.contains(&b)
        || q.ancestors.contains(&a);
    if !sees(p, q) || !sees(q, p) || one_body || (walls && !settings.solid_pairs) {
        return None;
    }
    let blocks = |mover: &Reference, wall: &Reference| {
        let blocked_by = mover.blocked_by.unwrap_or(LayerMask::NONE);
        wall.solid && blocked_by.0 & wall.layers.memberships.0 != 0
    };
    let touching = if blocks(p, q) || blocks(q, p) {
        2.0 * SKIN
    } else {
        0.0
    };
    Some(settings.margin.max(touching))
}
