//! Grid colliders.

use std::{
    ops::Deref,
    sync::{Arc, Once},
};

use bevy::prelude::*;
use log::warn;

use super::Collider;
use crate::geometry::{CellShapes, Placement, Shape, Tiles};

/// A grid of solid cells in one entity: a tile map, or the pixels of a sprite. It is rotated,
/// scaled and mirrored with its [`Transform`].
///
/// Cells are addressed by column and row. As in text and images, columns increase to the right and
/// rows downward, from the first cell at the top left; the grid is centered on its entity, as a
/// sprite is. Adjacent cells act as one continuous wall: movers do not snag on internal edges.
///
/// A grid may be large, up to 65,535 columns and rows; further ones are ignored. A million cells
/// take 140 kB, and the cost of a mover depends only on the cells near it.
///
/// Dereferences to its [`Tiles`], which describe each cell: `map.size()`, `map.is_solid(cell)`,
/// `map.number(cell)`.
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_thud::prelude::*;
/// fn spawn_map(mut commands: Commands) {
///     let rows = [
///         "########",
///         "#......#",
///         "#..##..#",
///         "########",
///     ];
///     commands.spawn((TileCollider::from_rows(rows, Vec2::splat(16.0)), Solid));
/// }
///
/// fn dig(mut map: Single<&mut TileCollider>) {
///     map.set(UVec2::new(3, 2), false);
/// }
/// # bevy::ecs::system::assert_is_system(spawn_map);
/// # bevy::ecs::system::assert_is_system(dig);
/// ```
#[doc(alias("tilemap", "voxels", "pixel perfect"))]
#[derive(Component, Clone, Debug, PartialEq, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serialize",
    derive(serde::Serialize, serde::Deserialize),
    reflect(Serialize, Deserialize)
)]
#[require(Transform)]
pub struct TileCollider {
    tiles: Arc<Tiles>,
    /// The center of the grid in the local space of the entity.
    #[cfg_attr(feature = "serialize", serde(default))]
    pub offset: Vec2,
}

impl TileCollider {
    /// A grid of this many columns and rows without solid cells. `cell_size` is in world units
    /// before scale; a negative one counts as zero.
    pub fn new(columns: u32, rows: u32, cell_size: Vec2) -> Self {
        Self::from(Tiles::new(columns, rows, cell_size))
    }

    /// A grid from rows of text, from top to bottom. Each character is a cell, which is solid
    /// unless the character is a space or a period. The grid is as wide as the longest row.
    ///
    /// If other characters are not solid either, like `@` for the start of the hero, use
    /// [`from_rows_with`](Self::from_rows_with).
    pub fn from_rows(rows: impl IntoIterator<Item = impl AsRef<str>>, cell_size: Vec2) -> Self {
        Self::from(Tiles::from_rows(rows, cell_size))
    }

    /// Like [`from_rows`](Self::from_rows), but `is_solid` decides which characters are solid.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// let rows = [
    ///     "########",
    ///     "#@..o..#",
    ///     "########",
    /// ];
    /// // Neither the hero nor the coin is a wall.
    /// let map = TileCollider::from_rows_with(rows, Vec2::splat(16.0), |tile| tile == '#');
    /// assert!(!map.is_solid(UVec2::new(1, 1)));
    /// ```
    pub fn from_rows_with(
        rows: impl IntoIterator<Item = impl AsRef<str>>,
        cell_size: Vec2,
        is_solid: impl FnMut(char) -> bool,
    ) -> Self {
        Self::from(Tiles::from_rows_with(rows, cell_size, is_solid))
    }

    /// A grid of this many columns from its cells, row by row from the top: whether each is solid.
    /// Cells that are missing in the last row are not solid.
    pub fn from_cells(
        columns: u32,
        cells: impl IntoIterator<Item = bool>,
        cell_size: Vec2,
    ) -> Self {
        Self::from(Tiles::from_cells(columns, cells, cell_size))
    }

    /// A grid of this many columns from the numbers of its cells, row by row from the top, as
    /// editors of maps write them. `shapes` gives each number a shape: all of the cell, a half, a
    /// slope. Cells with other numbers are open, and so are cells that are missing in the last row.
    /// Logs a warning, once, if there are numbers and none has a shape.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// let shapes = CellShapes::new()
    ///     .with(1, CellShape::FULL)
    ///     .with(2, CellShape::slope(0.0, 1.0))
    ///     .with(3, CellShape::rect(0.0..1.0, 0.0..0.5));
    /// let numbers = [
    ///     0, 0, 0, 0, //
    ///     0, 2, 1, 3, //
    ///     1, 1, 1, 1,
    /// ];
    /// let map = TileCollider::from_int_grid(4, numbers, Vec2::splat(16.0), &shapes);
    /// assert_eq!(map.number(UVec2::new(1, 1)), 2);
    /// ```
    pub fn from_int_grid(
        columns: u32,
        numbers: impl IntoIterator<Item = i32>,
        cell_size: Vec2,
        shapes: &CellShapes,
    ) -> Self {
        static NAMED: Once = Once::new();
        let mut unknown = None;
        let numbers = numbers.into_iter().inspect(|&number| {
            if number != 0 {
                unknown = Some(number);
            }
        });
        let tiles = Tiles::from_int_grid(columns, numbers, cell_size, shapes);
        let unknown = unknown.filter(|_| tiles.solid_cells().next().is_none());
        if let Some(number) = unknown {
            NAMED.call_once(|| {
                warn!(
                    "a grid of numbers blocks nothing: none of them has a shape, such as {number}. \
                    Give the shapes of numbers to its `CellShapes`"
                );
            });
        }
        Self::from(tiles)
    }

    /// A grid with one cell for each pixel of an image, `width` pixels wide, row by row from the
    /// top. A pixel is solid if its alpha is at least `threshold`. `pixel_size` is in world units
    /// before scale.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// The solid pixels of an image with four bytes per pixel, rendered at its own size.
    /// fn pixels(image: &Image) -> Option<TileCollider> {
    ///     let alpha = image.data.as_ref()?.iter().skip(3).step_by(4);
    ///     Some(TileCollider::from_alpha(image.width(), alpha.copied(), 128, Vec2::ONE))
    /// }
    /// ```
    pub fn from_alpha(
        width: u32,
        alpha: impl IntoIterator<Item = u8>,
        threshold: u8,
        pixel_size: Vec2,
    ) -> Self {
        let pixels = alpha.into_iter().map(|alpha| alpha >= threshold);
        Self::from_cells(width, pixels, pixel_size)
    }

    /// Returns the grid with its center at `offset` in the local space of the entity.
    #[must_use]
    pub fn with_offset(self, offset: Vec2) -> Self {
        Self { offset, ..self }
    }

    /// The grid, which the plugin shares.
    pub fn tiles(&self) -> &Arc<Tiles> {
        &self.tiles
    }

    /// Sets whether a cell is solid, all of it. Does nothing outside of the grid. In a grid with
    /// numbers, the cell gets the first number that is full; without one, it stays as it is.
    pub fn set(&mut self, cell: UVec2, is_solid: bool) {
        // A change copies the shared grid.
        if cell.cmplt(self.size()).all() && !self.tiles.is_set(cell, is_solid) {
            Arc::make_mut(&mut self.tiles).set(cell, is_solid);
        }
    }

    /// Gives a cell the shape of a number. Makes it open if the number has no shape. Does nothing
    /// outside of the grid.
    pub fn set_number(&mut self, cell: UVec2, number: u8) {
        // A change copies the shared grid.
        if cell.cmplt(self.size()).all() && self.number(cell) != number {
            Arc::make_mut(&mut self.tiles).set_number(cell, number);
        }
    }

    /// The cells whose solid part overlaps a shape in the local space of the entity, in a fixed
    /// order: the walls in a blast, or the spikes below a hero.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// /// Breaks the cells within a radius of a point in the world.
    /// fn explode(map: &mut TileCollider, transform: &GlobalTransform, point: Vec2, radius: f32) {
    ///     let to_map = transform.affine().inverse();
    ///     let center = to_map.transform_point3(point.extend(0.0)).truncate();
    ///     let blast = Shape::circle(center, radius);
    ///     for cell in map.cells_in(&blast) {
    ///         map.set(cell, false);
    ///     }
    /// }
    /// ```
    pub fn cells_in(&self, shape: &Shape) -> Vec<UVec2> {
        self.tiles.cells_in(&shape.translated(-self.offset))
    }

    /// The cell, solid or not, that contains a point in the local space of the entity, or `None`
    /// outside of the grid.
    pub fn cell_at(&self, point: Vec2) -> Option<UVec2> {
        self.tiles.cell_at(point - self.offset)
    }

    /// The center of a cell, in the local space of the entity. The cell may be outside of the grid.
    pub fn cell_center(&self, cell: UVec2) -> Vec2 {
        self.tiles.cell_center(cell) + self.offset
    }
}

impl Deref for TileCollider {
    type Target = Tiles;

    fn deref(&self) -> &Tiles {
        &self.tiles
    }
}

impl From<Tiles> for TileCollider {
    fn from(tiles: Tiles) -> Self {
        Self {
            tiles: Arc::new(tiles),
            offset: Vec2::ZERO,
        }
    }
}

impl Collider for TileCollider {
    fn shape(&self) -> Shape {
        Shape::Tiles {
            tiles: self.tiles.clone(),
            placement: Placement::at(self.offset),
        }
    }
}
