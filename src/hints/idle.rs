//! Warnings about components that do nothing where they are.

use bevy::{
    ecs::{
        archetype::{Archetype, Archetypes},
        component::Components,
    },
    prelude::*,
};
use log::warn;

use super::{IsBare, Scene};
use crate::{
    components::{
        CollisionLayers, Conveyor, Ignores, Mover, MoverPart, MoverResponse, Solid, Turning,
    },
    index::{LayerEnum, LocalShape, MoverRelation},
    memory,
    schedule::OnMainThread,
};

/// Idle components are looked for in each update of this number, so that they may be completed
/// until the next one.
const UPDATES_BETWEEN_CHECKS: u32 = 64;

/// A component that does nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Idle {
    Solid,
    Mover,
    Part,
    Turning,
    Conveyor,
    IgnoresItself,
    IgnoresNobody(Entity),
    Layer(&'static str),
}

impl Idle {
    /// Whether both are of one kind.
    fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// The sentence about an entity.
    fn sentence(self, entity: Entity, scene: &Scene) -> String {
        let name = scene.name(entity);
        match self {
            Self::Solid => format!(
                "{name} is `Solid`, but blocks nothing: it has no collider. Add one, such as \
                `RectCollider`, and register collider types of your own with `add_collider`"
            ),
            Self::Mover => format!(
                "nothing blocks the `Mover` {name}: it has no collider. Add one, such as \
                `CircleCollider`, or set `MoverResponse::Pass` if nothing is to block it"
            ),
            Self::Part => format!(
                "nothing blocks the `MoverPart` {name}: it has no `Mover` above it. Make it a \
                child of one"
            ),
            Self::Turning => format!(
                "{name} does not turn: `Turning` has no effect without `Mover`. Add a `Mover`"
            ),
            Self::Conveyor => format!(
                "{name} carries nobody: `Conveyor` has no effect without `Solid`. Add `Solid`"
            ),
            Self::IgnoresItself => {
                format!("{name} ignores itself. `Ignores` has the other entity of the two")
            }
            Self::IgnoresNobody(other) => format!(
                "{name} ignores nobody: {} has neither a collider nor a `Mover`. `Ignores` has the \
                entity of a collider, or the `Mover` above it",
                scene.name(other)
            ),
            Self::Layer(variant_type) => format!(
                "{name} collides with everything: its `{variant_type}` is no layer without a \
                table. Add one with `add_layer_table`, or give it `CollisionLayers`"
            ),
        }
    }
}

/// Logs a warning about components that did nothing in two checks in a row.
pub(super) fn check_idle(
    scene: Scene,
    bare: Query<(Entity, Option<&Mover>), IsBare>,
    parts: Query<Entity, With<MoverPart>>,
    turning: Query<Entity, (With<Turning>, Without<Mover>)>,
    conveyors: Query<Entity, (With<Conveyor>, Without<Solid>)>,
    ignores: Query<(Entity, &Ignores)>,
    layer_enum: Option<Res<LayerEnum>>,
    (archetypes, components): (&Archetypes, &Components),
    movers: Query<(), With<Mover>>,
    mut updates: Local<u32>,
    mut found: Local<Vec<(Entity, Idle)>>,
    mut before: Local<Vec<(Entity, Idle)>>,
    mut logged: Local<Vec<Idle>>,
    _: OnMainThread,
) {
    *updates += 1;
    if *updates < UPDATES_BETWEEN_CHECKS {
        return;
    }
    *updates = 0;
    std::mem::swap(&mut *found, &mut *before);
    memory::clear(&mut found);
    let has_collider = |entity| scene.collider(entity).is_some();
    let bare = bare
        .iter()
        .filter(|(entity, _)| scene.colliders_below(*entity).next().is_none());
    found.extend(bare.filter_map(|(entity, mover)| match mover {
        None => Some((entity, Idle::Solid)),
        Some(mover) if mover.response == MoverResponse::Pass => None,
        Some(_) => Some((entity, Idle::Mover)),
    }));
    let is_alone = |part: &Entity| {
        let collider = scene.collider(*part);
        collider.is_some_and(|collider| collider.role.moved_by == MoverRelation::None)
    };
    found.extend(parts.iter().filter(is_alone).map(|part| (part, Idle::Part)));
    found.extend(turning.iter().map(|entity| (entity, Idle::Turning)));
    found.extend(conveyors.iter().map(|entity| (entity, Idle::Conveyor)));
    found.extend(ignores.iter().filter_map(|(entity, ignores)| {
        let other = ignores.entity;
        if other == entity {
            return Some((entity, Idle::IgnoresItself));
        }
        let is_nobody = !has_collider(other) && !movers.contains(other);
        let exists = scene.names.contains(other);
        (is_nobody && exists).then_some((entity, Idle::IgnoresNobody(other)))
    }));
    if let Some(layer_enum) = layer_enum.filter(|layer_enum| !layer_enum.has_table) {
        let entity = without_table(&layer_enum, archetypes, components);
        found.extend(entity.map(|entity| (entity, Idle::Layer(layer_enum.name))));
    }
    for (entity, idle) in before.iter().filter(|idle| found.contains(idle)) {
        if !logged.iter().any(|known| known.is_like(*idle)) {
            logged.push(*idle);
            warn!("{}", idle.sentence(*entity, &scene));
        }
    }
}

/// A collider with a variant of the enum and no layers of its own.
fn without_table(
    layer_enum: &LayerEnum,
    archetypes: &Archetypes,
    components: &Components,
) -> Option<Entity> {
    let variant = components.get_id(layer_enum.id)?;
    let shape = components.component_id::<LocalShape>()?;
    let own = components.component_id::<CollisionLayers>();
    let is_without = |archetype: &&Archetype| {
        archetype.contains(variant)
            && archetype.contains(shape)
            && !own.is_some_and(|own| archetype.contains(own))
    };
    let mut without = archetypes.iter().filter(is_without);
    without.find_map(|archetype| Some(archetype.entities().first()?.id()))
}
