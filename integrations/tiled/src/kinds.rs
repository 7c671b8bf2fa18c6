//! What the tiles of a layer are: their pieces in cells, and the pieces that do not fit into cells.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    components::flip,
    error::TiledError,
    file::{Tile, TileRef},
    in_cells::in_cells,
    outline::{Layout, Outline},
    role::TiledRole,
    rules::TiledRules,
    tile_shapes::{TileShapes, fitted},
};

/// A tile with its flips: what is solid of it, around the cell that it is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileKind {
    pub pieces: Vec<CellPiece>,
    pub loose: Vec<LoosePiece>,
}

/// What is in one cell.
#[derive(Clone, Debug)]
pub(crate) struct CellPiece {
    /// The cell, from the one of the tile, as Tiled counts.
    pub cell: IVec2,
    pub shape: CellShape,
    pub role: TiledRole,
}

/// What does not fit into cells, in pixels with y up, from the bottom left of the tile's cell.
#[derive(Clone, Debug)]
pub(crate) struct LoosePiece {
    pub outline: Outline,
    pub role: TiledRole,
}

/// Makes kinds of tiles for one layer.
pub(crate) struct KindMaker<'a> {
    pub rules: &'a TiledRules,
    pub cell_size: Vec2,
    /// The role by the layer and all around it.
    pub layer_role: TiledRole,
    pub layer_name: &'a str,
}

impl KindMaker<'_> {
    /// A tile, and what is wrong with it.
    pub fn make(&self, used: &TileRef, tile: &Tile) -> (TileKind, Vec<TiledError>) {
        let layout = layout(used, self.cell_size);
        let read = TileShapes::read(used, tile, self.layer_name, &layout, self.rules);
        let mut kind = TileKind::default();
        for (outline, role) in read.shapes {
            let role = role.or(self.layer_role).or(self.rules.tiles);
            if role.collides() {
                self.add(&mut kind, outline, role);
            }
        }
        // A tile without shapes is open, unless it, its layer or a class has a role.
        let role = read.role.or(self.layer_role);
        if !read.has_shapes && role.collides() {
            let all = Outline::convex(layout.vertices()).map(flip);
            self.add(&mut kind, all, role);
        }
        (kind, read.errors)
    }

    fn add(&self, kind: &mut TileKind, outline: Outline, role: TiledRole) {
        let pieces = match outline {
            Outline::Line(_) => {
                kind.loose.push(LoosePiece { outline, role });
                return;
            }
            Outline::Area { pieces, .. } => pieces,
        };
        for piece in pieces {
            match in_cells(&piece, self.cell_size) {
                Some(cells) => {
                    let pieces = cells.map(|(cell, shape)| CellPiece { cell, shape, role });
                    kind.pieces.extend(pieces);
                }
                None => {
                    let outline = Outline::convex(piece);
                    kind.loose.push(LoosePiece { outline, role });
                }
            }
        }
    }
}

/// Where a tile lies, in pixels with y down from the bottom left of its cell.
fn layout(tile: &TileRef, cell_size: Vec2) -> Layout {
    let image = tile.image_size();
    let size = if tile.tileset.fills_cells {
        cell_size
    } else {
        image
    };
    fitted(
        Layout::new(image, tile.flips, Vec2::ZERO, size),
        &tile.tileset,
    )
}
