//! The names of layers in an app, and the table that gives colliders their layers.

use std::any::type_name;

use bevy::prelude::*;
use log::error;

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

/// Gives the layers of an [`App`] names, and a table.
pub trait LayersAppExt {
    /// Explanations and debug drawing name layers as the enum `L` does. An app has one such enum:
    /// a later call replaces the names. Logs an error if the enum has more than 32 variants.
    fn name_layers<L: CollisionLayer>(&mut self) -> &mut Self;

    /// Gives every entity with the component `L` the
    /// [`CollisionLayers`](crate::CollisionLayers) that the table has for it, when `L` is inserted:
    /// where a game saves entities, `L` is saved by name. To change the layer, insert another `L`.
    /// The layers may be changed afterward like any others.
    ///
    /// The table becomes a resource. This [names](Self::name_layers) the layers as well.
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
        self.insert_resource(names)
    }

    fn add_layer_table<L: CollisionLayer + Component>(
        &mut self,
        table: LayerTable<L>,
    ) -> &mut Self {
        self.name_layers::<L>()
            .insert_resource(table)
            .add_observer(set_layers::<L>)
    }
}

/// Gives an entity the layers that the table has for its component.
fn set_layers<L: CollisionLayer + Component>(
    inserted: On<Insert, L>,
    layers: Query<&L>,
    table: Res<LayerTable<L>>,
    mut commands: Commands,
) {
    if let Ok(layer) = layers.get(inserted.entity) {
        let layers = table.layers(layer);
        commands.entity(inserted.entity).try_insert(layers);
    }
}
