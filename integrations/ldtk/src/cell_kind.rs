//! What cells become: a shape and a role.

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// What cells become: a shape and a role. A [`CellShape`] by itself is a wall.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// # use bevy_thud_ldtk::LdtkCellKind;
/// let wall = LdtkCellKind::from(CellShape::FULL);
/// let plank = LdtkCellKind::from(CellShape::rect(0.0..1.0, 0.75..1.0)).one_way(Dir2::Y);
/// let spikes = LdtkCellKind::from(CellShape::rect(0.0..1.0, 0.0..0.5)).sensor();
/// assert!(wall.role.is_solid && plank.role.is_solid && !spikes.role.is_solid);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LdtkCellKind {
    /// What is solid of a cell. Cells with an empty shape are open.
    pub shape: CellShape,
    /// What it does.
    pub role: LdtkRole,
}

/// What the cells of a grid do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LdtkRole {
    /// Whether they are [`Solid`]. Otherwise they report collisions and block nothing.
    pub is_solid: bool,
    /// Whether they are [`OneWay`], and the direction in which movers pass.
    pub one_way: Option<Dir2>,
    /// Their layers.
    pub layers: CollisionLayers,
}

impl Default for LdtkRole {
    /// A wall.
    fn default() -> Self {
        Self {
            is_solid: true,
            one_way: None,
            layers: CollisionLayers::default(),
        }
    }
}

impl From<CellShape> for LdtkCellKind {
    /// A wall of this shape.
    fn from(shape: CellShape) -> Self {
        let role = LdtkRole::default();
        Self { shape, role }
    }
}

impl LdtkCellKind {
    /// Blocks only what moves against this direction, which is the one in which movers pass: see
    /// [`OneWay`].
    #[must_use]
    pub fn one_way(mut self, direction: Dir2) -> Self {
        self.role.one_way = Some(direction);
        self
    }

    /// Reports collisions, and blocks nothing.
    #[must_use]
    pub fn sensor(mut self) -> Self {
        self.role.is_solid = false;
        self
    }

    /// Has these layers.
    #[must_use]
    pub fn with_layers(mut self, layers: CollisionLayers) -> Self {
        self.role.layers = layers;
        self
    }
}
