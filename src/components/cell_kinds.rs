//! What the numbers of a map mean: shapes, and what their cells do.

use bevy::prelude::*;

use super::{CollisionLayers, OneWay, Solid, TileCollider};
use crate::geometry::{CellShape, CellShapes};

/// What the cells with a number are: a shape and a role.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// let wall = CellKind::from(CellShape::FULL);
/// let plank = CellKind::from(CellShape::rect(0.0..1.0, 0.75..1.0)).one_way(Dir2::Y);
/// let spikes = CellKind::from(CellShape::rect(0.0..1.0, 0.0..0.5)).sensor();
/// assert!(wall.role.is_solid && plank.role.is_solid && !spikes.role.is_solid);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CellKind {
    /// What is solid of a cell.
    pub shape: CellShape,
    /// What it does.
    pub role: CellRole,
}

/// What cells do. All cells of a map with the same role are one grid, in an entity of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellRole {
    /// Whether they are [`Solid`]. Otherwise they report collisions and block nothing.
    pub is_solid: bool,
    /// Whether they are [`OneWay`], and the direction in which movers pass.
    pub one_way: Option<Dir2>,
    /// Their layers.
    pub layers: CollisionLayers,
}

/// The kinds of the cells of a map, by the numbers that the map's author gave them, 1 to 255. Cells
/// with other numbers are open.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn spawn_level(mut commands: Commands) {
///     let plank = CellShape::rect(0.0..1.0, 0.75..1.0);
///     let kinds = CellKinds::new()
///         .with(1, CellShape::FULL)
///         .with(2, CellShape::slope(0.0, 1.0))
///         .with(6, CellKind::from(plank).one_way(Dir2::Y));
///     let numbers = [
///         0, 6, 6, 0, //
///         0, 0, 0, 2, //
///         1, 1, 1, 1,
///     ];
///     for grid in kinds.grids(4, numbers, Vec2::splat(16.0)) {
///         grid.spawn(&mut commands);
///     }
/// }
/// # bevy::ecs::system::assert_is_system(spawn_level);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellKinds(Vec<(u8, CellKind)>);

/// The cells of one role of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct CellGrid {
    /// The cells. Those of other roles are open.
    pub tiles: TileCollider,
    /// What they do.
    pub role: CellRole,
}

impl Default for CellRole {
    /// A wall.
    fn default() -> Self {
        Self {
            is_solid: true,
            one_way: None,
            layers: CollisionLayers::default(),
        }
    }
}

impl From<CellShape> for CellKind {
    /// A wall of this shape.
    fn from(shape: CellShape) -> Self {
        let role = CellRole::default();
        Self { shape, role }
    }
}

impl CellKind {
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

impl CellKinds {
    /// No kinds: all cells are open.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what the cells with a number are. 0 stays open.
    #[must_use]
    pub fn with(mut self, number: u8, kind: impl Into<CellKind>) -> Self {
        self.set(number, kind.into());
        self
    }

    /// Sets what the cells with a number are. 0 stays open.
    pub fn set(&mut self, number: u8, kind: CellKind) {
        self.0.retain(|(known, _)| *known != number);
        if number != 0 && !kind.shape.is_empty() {
            self.0.push((number, kind));
            self.0.sort_unstable_by_key(|(number, _)| *number);
        }
    }

    /// What the cells with a number are. `None` if they are open.
    pub fn get(&self, number: u8) -> Option<&CellKind> {
        let index = self.0.binary_search_by_key(&number, |(known, _)| *known);
        index.ok().map(|index| &self.0[index].1)
    }

    /// The numbers of all kinds, with what they are.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &CellKind)> {
        self.0.iter().map(|(number, kind)| (*number, kind))
    }

    /// The roles, each once, in the order of their first numbers.
    pub fn roles(&self) -> Vec<CellRole> {
        let mut roles = Vec::new();
        for (_, kind) in self.iter() {
            if !roles.contains(&kind.role) {
                roles.push(kind.role);
            }
        }
        roles
    }

    /// The shapes of the kinds with a role.
    pub fn shapes_of(&self, role: &CellRole) -> CellShapes {
        let kinds = self.iter().filter(|(_, kind)| kind.role == *role);
        kinds.fold(CellShapes::new(), |shapes, (number, kind)| {
            shapes.with(number, kind.shape.clone())
        })
    }

    /// A grid for each of the [`roles`](Self::roles), from the numbers of a map's cells: row by row
    /// from the top, this many columns. `cell_size` is in world units before scale.
    ///
    /// A grid of which no cell is solid is returned as well, since the game may fill it later.
    pub fn grids(
        &self,
        columns: u32,
        numbers: impl IntoIterator<Item = i32, IntoIter: Clone>,
        cell_size: Vec2,
    ) -> Vec<CellGrid> {
        let numbers = numbers.into_iter();
        let of_role = |role| CellGrid {
            tiles: TileCollider::from_int_grid(
                columns,
                numbers.clone(),
                cell_size,
                &self.shapes_of(&role),
            ),
            role,
        };
        self.roles().into_iter().map(of_role).collect()
    }
}

impl CellRole {
    /// Inserts the components of the role: [`CollisionLayers`], and [`Solid`] and [`OneWay`] if the
    /// cells are. Removes those that they are not.
    pub fn insert(&self, entity: &mut EntityCommands) {
        entity.remove::<(Solid, OneWay)>().insert(self.layers);
        if self.is_solid {
            entity.insert(Solid);
        }
        if let Some(direction) = self.one_way {
            entity.insert(OneWay(direction));
        }
    }
}

impl CellGrid {
    /// Spawns the grid, with the components of its role.
    pub fn spawn<'a>(self, commands: &'a mut Commands) -> EntityCommands<'a> {
        let mut entity = commands.spawn(self.tiles);
        self.role.insert(&mut entity);
        entity
    }
}
