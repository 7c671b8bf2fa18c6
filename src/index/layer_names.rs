//! The names of layers in an app, and the table that gives colliders their layers.

use std::any::{TypeId, type_name};

use bevy::prelude::*;
use log::error;

use super::table_layers::read_table;
use crate::components::{CollisionLayer, LayerMask, LayerTable};

/// The names of the layers, by number. Empty if the game gives none.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LayerNames(&'static [&'static str]);

impl LayerNames {
    /// The names of the variants of an enum.
    fn of<L: CollisionLayer>() -> Self {
        let names = L::type_info().as_enum().map(|info| info.variant_names());
        Self(names.unwrap_or_default())
    }

    /// The names or numbers of the layers of a set, separated by commas.
    pub fn list(self, layers: LayerMask) -> String {
        if layers == LayerMask::ALL {
            return "all".to_string();
        }
        let numbers = (0..LayerMask::COUNT).filter(|&number| layers.0 & (1 << number) != 0);
        let names: Vec<String> = numbers
            .map(|number| match self.0.get(number) {
                Some(name) => name.to_string(),
                None => number.to_string(),
            })
            .collect();
        names.join(", ")
    }
}

/// The enum whose variants are the layers of an app.
#[derive(Resource)]
pub(crate) struct LayerEnum {
    pub id: TypeId,
    pub name: &'static str,
    /// Whether it had a table, which may have been removed.
    pub has_table: bool,
}

/// Gives the layers of an [`App`] names, and a table.
pub trait LayersAppExt {
    /// Explanations and debug drawing name layers as the enum `L` does. An app has one such enum:
    /// a later call replaces the names. Logs an error if the enum has more than 32 variants.
    fn name_layers<L: CollisionLayer>(&mut self) -> &mut Self;

    /// Makes the component `L` the layer of its entity: in each update, the entity collides as the
    /// table says for its variant, unless it has [`CollisionLayers`](crate::CollisionLayers) of its
    /// own. Where a game saves entities, `L` is saved by name.
    ///
    /// The table becomes a resource, which may be replaced and removed. Without it, `L` is no
    /// layer. This [names](Self::name_layers) the layers as well. An app has one such enum: logs an
    /// error for another one, which is ignored.
    fn add_layer_table<L: CollisionLayer + Component>(&mut self, table: LayerTable<L>)
    -> &mut Self;
}

impl LayersAppExt for App {
    fn name_layers<L: CollisionLayer>(&mut self) -> &mut Self {
        let names = LayerNames::of::<L>();
        if names.0.len() > LayerMask::COUNT {
            let (name, count, most) = (type_name::<L>(), names.0.len(), LayerMask::COUNT);
            error!("{name} has {count} layers. Those after the first {most} collide with nothing");
        }
        let known = self.world().get_resource::<LayerEnum>();
        if !known.is_some_and(|known| known.has_table) {
            self.insert_resource(LayerEnum {
                id: TypeId::of::<L>(),
                name: type_name::<L>(),
                has_table: false,
            });
        }
        self.insert_resource(names)
    }

    fn add_layer_table<L: CollisionLayer + Component>(
        &mut self,
        table: LayerTable<L>,
    ) -> &mut Self {
        let known = self.world().get_resource::<LayerEnum>();
        let with_table = known.filter(|known| known.has_table);
        match with_table.map(|known| (known.id == TypeId::of::<L>(), known.name)) {
            Some((true, _)) => (),
            Some((false, known)) => {
                let name = type_name::<L>();
                error!("ignoring the layer table of {name}: the app has one of {known}");
                return self;
            }
            None => {
                self.name_layers::<L>();
                self.world_mut().resource_mut::<LayerEnum>().has_table = true;
                read_table::<L>(self);
            }
        }
        self.insert_resource(table)
    }
}
