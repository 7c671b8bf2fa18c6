//! The layers that a table has for the entities with a variant of the game's enum.

use bevy::{
    ecs::{
        schedule::ScheduleLabel,
        system::{ParamBuilder, SystemParamBuilder},
    },
    prelude::*,
};

use super::{
    hierarchy::every_entity,
    labels::{RefreshColliders, SyncIndex},
    update_schedule::UpdateSchedule,
};
use crate::{
    components::{CollisionLayer, CollisionLayers, LayerTable},
    schedule::{CollisionSystems, OnMainThread},
};

/// The layers that the table has for an entity. [`CollisionLayers`] of its own count before them.
#[derive(Component, Clone, Copy, PartialEq)]
#[component(clone_behavior = Ignore)]
pub(crate) struct TableLayers(pub CollisionLayers);

type Known<'w, 's, L> = Query<'w, 's, (Entity, &'static L, &'static mut TableLayers)>;
type New<'w, 's, L> = Query<'w, 's, (Entity, &'static L), Without<TableLayers>>;
type Removed<'w, 's, L> = Query<'w, 's, Entity, (With<TableLayers>, Without<L>)>;

/// Adds the system that looks up layers, in each update and refresh.
pub(super) fn read_table<L: CollisionLayer + Component>(app: &mut App) {
    const SAME: ParamBuilder = ParamBuilder;
    UpdateSchedule::when_known(app, |app, schedule| {
        for schedule in [schedule, RefreshColliders.intern()] {
            let (known, new, removed) = (every_entity(), every_entity(), every_entity());
            let look_up = (SAME, known, new, removed, SAME, SAME).build_system(look_up::<L>);
            let look_up = look_up.in_set(CollisionSystems::Sync).before(SyncIndex);
            app.add_systems(schedule, look_up);
        }
    });
}

/// Gives every entity with an `L` the layers that the table has for it, hidden ones as well, which
/// may show up again. None has any while there is no table.
fn look_up<L: CollisionLayer + Component>(
    table: Option<Res<LayerTable<L>>>,
    mut known: Known<L>,
    new: New<L>,
    removed: Removed<L>,
    mut commands: Commands,
    _: OnMainThread,
) {
    let Some(table) = table else {
        for (entity, ..) in &known {
            commands.entity(entity).try_remove::<TableLayers>();
        }
        return;
    };
    let layers_of = |layer| TableLayers(table.layers(layer));
    for (_, layer, mut layers) in &mut known {
        layers.set_if_neq(layers_of(layer));
    }
    for (entity, layer) in &new {
        commands.entity(entity).try_insert(layers_of(layer));
    }
    for entity in &removed {
        commands.entity(entity).try_remove::<TableLayers>();
    }
}
