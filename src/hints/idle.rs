//! Warnings about components that do nothing where they are.

use bevy::{
    ecs::{
        archetype::{Archetype, Archetypes},
        component::Components,
        system::SystemParam,
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

/// What may do nothing.
#[derive(SystemParam)]
pub(super) struct Suspects<'w, 's> {
    scene: Scene<'w, 's>,
    bare: Query<'w, 's, (Entity, Option<&'static Mover>), IsBare>,
    parts: Query<'w, 's, Entity, With<MoverPart>>,
    turning: Query<'w, 's, Entity, (With<Turning>, Without<Mover>)>,
    conveyors: Query<'w, 's, Entity, (With<Conveyor>, Without<Solid>)>,
    ignores: Query<'w, 's, (Entity, &'static Ignores)>,
    movers: Query<'w, 's, (), With<Mover>>,
    layer_enum: Option<Res<'w, LayerEnum>>,
    archetypes: &'w Archetypes,
    components: &'w Components,
}

/// Logs a warning about components that did nothing in two checks in a row.
pub(super) fn check_idle(
    suspects: Suspects,
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
    found.extend(suspects.bare_roles());
    found.extend(suspects.incomplete_roles());
    found.extend(suspects.ignorers());
    found.extend(suspects.layer_without_table());
    for (entity, idle) in before.iter().filter(|idle| found.contains(idle)) {
        if !logged.iter().any(|known| known.is_like(*idle)) {
            logged.push(*idle);
            warn!("{}", idle.sentence(*entity, &suspects.scene));
        }
    }
}

impl Suspects<'_, '_> {
    /// Walls and movers without any collider, unless nothing is to block the mover.
    fn bare_roles(&self) -> impl Iterator<Item = (Entity, Idle)> {
        let has_none_below = |entity| self.scene.colliders_below(entity).next().is_none();
        let bare = self.bare.iter();
        bare.filter(move |(entity, _)| has_none_below(*entity))
            .filter_map(|(entity, mover)| match mover {
                None => Some((entity, Idle::Solid)),
                Some(mover) if mover.response == MoverResponse::Pass => None,
                Some(_) => Some((entity, Idle::Mover)),
            })
    }

    /// Components that lack another one.
    fn incomplete_roles(&self) -> impl Iterator<Item = (Entity, Idle)> {
        let is_alone = |part: &Entity| {
            let collider = self.scene.collider(*part);
            collider.is_some_and(|collider| collider.role.moved_by == MoverRelation::None)
        };
        let parts = self.parts.iter().filter(is_alone);
        let turning = self.turning.iter();
        let conveyors = self.conveyors.iter();
        (parts.map(|part| (part, Idle::Part)))
            .chain(turning.map(|entity| (entity, Idle::Turning)))
            .chain(conveyors.map(|entity| (entity, Idle::Conveyor)))
    }

    /// Those that ignore themselves, or an entity that is there and stands for no collider.
    fn ignorers(&self) -> impl Iterator<Item = (Entity, Idle)> {
        self.ignores.iter().filter_map(|(entity, ignores)| {
            let other = ignores.entity;
            if other == entity {
                return Some((entity, Idle::IgnoresItself));
            }
            let is_nobody = self.scene.names.contains(other)
                && self.scene.collider(other).is_none()
                && !self.movers.contains(other);
            is_nobody.then_some((entity, Idle::IgnoresNobody(other)))
        })
    }

    /// A collider with a variant of an enum that has no table, and no layers of its own.
    fn layer_without_table(&self) -> Option<(Entity, Idle)> {
        let layer_enum = self.layer_enum.as_deref()?;
        let variant = self.components.get_id(layer_enum.id)?;
        let shape = self.components.component_id::<LocalShape>()?;
        let own = self.components.component_id::<CollisionLayers>();
        let is_without = |archetype: &&Archetype| {
            archetype.contains(variant)
                && archetype.contains(shape)
                && !own.is_some_and(|own| archetype.contains(own))
        };
        let mut without = self.archetypes.iter().filter(is_without);
        let entity = without.find_map(|archetype| Some(archetype.entities().first()?.id()))?;
        (!layer_enum.has_table).then_some((entity, Idle::Layer(layer_enum.name)))
    }
}
