//! Layers with names: an enum of the game's own, and a table of who collides with whom.

use std::marker::PhantomData;

use super::layers::{CollisionLayers, LayerMask};
use bevy::{
    prelude::*,
    reflect::{Typed, enums::Enum},
};

/// An enum of the game's own whose variants are collision layers, up to 32. The first variant is
/// layer 0. A variant, or an array of variants, converts to a [`LayerMask`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Reflect)]
/// enum Team {
///     Wall,
///     Enemy,
///     PlayerShot,
/// }
///
/// impl CollisionLayer for Team {}
///
/// let shot = CollisionLayers::new(Team::PlayerShot, [Team::Wall, Team::Enemy]);
/// assert!(shot.filters.contains(Team::Enemy.mask()));
/// ```
///
/// To see these names in explanations and debug drawing, call
/// [`name_layers`](crate::LayersAppExt::name_layers).
pub trait CollisionLayer: Enum + Typed {
    /// The set of this layer alone. [`LayerMask::NONE`] for variants after the 32nd, which
    /// [`name_layers`](crate::LayersAppExt::name_layers) reports.
    fn mask(&self) -> LayerMask {
        LayerMask::layer(self.variant_index() as u32)
    }
}

impl<L: CollisionLayer> From<L> for LayerMask {
    fn from(layer: L) -> Self {
        layer.mask()
    }
}

impl<L: CollisionLayer, const N: usize> From<[L; N]> for LayerMask {
    fn from(layers: [L; N]) -> Self {
        layers.iter().collect()
    }
}

impl<L: CollisionLayer> From<&[L]> for LayerMask {
    fn from(layers: &[L]) -> Self {
        layers.iter().collect()
    }
}

impl<'a, L: CollisionLayer> FromIterator<&'a L> for LayerMask {
    fn from_iter<I: IntoIterator<Item = &'a L>>(layers: I) -> Self {
        let masks = layers.into_iter().map(L::mask);
        masks.fold(Self::NONE, Self::union)
    }
}

/// Which layers collide: a table that is symmetric by construction. At first, none do.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::prelude::*;
///
/// #[derive(Component, Reflect)]
/// enum Team {
///     Wall,
///     Hero,
///     Monster,
///     HeroShot,
/// }
///
/// impl CollisionLayer for Team {}
///
/// let table = LayerTable::new()
///     .collide(Team::Wall, [Team::Hero, Team::Monster, Team::HeroShot])
///     .collide(Team::Monster, [Team::Hero, Team::HeroShot])
///     .collide(Team::Monster, Team::Monster);
/// let [hero, monster, shot] =
///     [Team::Hero, Team::Monster, Team::HeroShot].map(|team| table.layers(&team));
/// assert!(shot.interacts_with(monster) && !shot.interacts_with(hero));
///
/// let mut app = App::new();
/// app.add_plugins(CollisionPlugin::default()).add_layer_table(table);
/// // With the table in the app, the enum is all that an entity needs.
/// app.world_mut().spawn((CircleCollider::new(8.0), Team::Hero));
/// ```
#[derive(Resource, Debug)]
pub struct LayerTable<L> {
    /// The filters of each layer.
    filters: [LayerMask; LayerMask::COUNT],
    layer: PhantomData<fn() -> L>,
}

impl<L> Default for LayerTable<L> {
    fn default() -> Self {
        Self {
            filters: [LayerMask::NONE; LayerMask::COUNT],
            layer: PhantomData,
        }
    }
}

impl<L: CollisionLayer> LayerTable<L> {
    /// A table in which no layers collide.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets a layer collide with others of the same enum, which may include itself: a layer, an
    /// array or a slice of layers, or a mask.
    #[must_use]
    pub fn collide(mut self, layer: L, others: impl Into<LayerMask>) -> Self {
        let (own, others) = (layer.mask(), others.into());
        for (number, filters) in (0..).zip(&mut self.filters) {
            let each = LayerMask::layer(number);
            if own.contains(each) {
                *filters |= others;
            }
            if others.contains(each) {
                *filters |= own;
            }
        }
        self
    }

    /// The layers of a collider that is in `layer`, and collides as the table says.
    pub fn layers(&self, layer: &L) -> CollisionLayers {
        let filters = self.filters.get(layer.variant_index());
        CollisionLayers {
            memberships: layer.mask(),
            filters: filters.copied().unwrap_or(LayerMask::NONE),
        }
    }
}
