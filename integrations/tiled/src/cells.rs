//! Collects the cells of a layer, and sorts them into grids.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    components::TiledTile,
    error::TiledError,
    file::{TileRef, Tileset},
    flips::TiledFlips,
    kinds::{KindMaker, LoosePiece, TileKind},
    role::TiledRole,
};
use bevy_thud_maps::MapLocation;

/// How many numbers a grid has.
const NUMBERS: usize = 255;
/// Cells farther apart than this many are in several grids.
const MAX_EXTENT: i32 = 4096;
/// How wide and high these are.
const BLOCK: i32 = 1024;

/// Cells of one grid have the same key. What is in the first fields decides the order of the
/// grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GridKey {
    role: usize,
    /// Several pieces in one cell are in several grids.
    slot: usize,
    /// Each 255 shapes are in a grid of their own.
    page: usize,
    block_y: i32,
    block_x: i32,
}

/// A tileset, a tile of it, and flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TileKey {
    tileset: *const Tileset,
    id: u32,
    flips: TiledFlips,
}

/// A cell of a grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filled {
    pub cell: IVec2,
    pub number: u8,
    /// The index of the tile.
    pub tile: u32,
}

/// What is to become a grid.
pub(crate) struct GridPlan {
    pub role: TiledRole,
    pub shapes: CellShapes,
    /// Row by row.
    pub cells: Vec<Filled>,
}

/// What is to become a collider of its own.
pub(crate) struct LoosePlan {
    pub cell: IVec2,
    pub tile: u32,
    pub piece: LoosePiece,
}

/// What a layer becomes.
#[derive(Default)]
pub(crate) struct LayerPlan {
    pub tiles: Vec<TiledTile>,
    pub grids: Vec<GridPlan>,
    pub loose: Vec<LoosePlan>,
    pub errors: Vec<TiledError>,
}

/// A piece of a tile whose number is not known yet.
struct Piece {
    cell: IVec2,
    shape: usize,
    tile: u32,
}

/// A kind of tile that is known.
struct Known {
    tile: u32,
    kind: TileKind,
    /// The indices of the role and of the shape of each piece in a cell.
    pieces: Vec<PieceIndices>,
}

#[derive(Clone, Copy)]
struct PieceIndices {
    role: usize,
    shape: usize,
}

/// Collects the cells of a layer.
pub(crate) struct Collector<'a> {
    maker: KindMaker<'a>,
    known: HashMap<TileKey, Known>,
    roles: Vec<TiledRole>,
    shapes: Vec<CellShape>,
    /// How many pieces with a role each cell has.
    slots: HashMap<IVec2, Vec<usize>>,
    /// By role and slot.
    pieces: BTreeMap<[usize; 2], Vec<Piece>>,
    plan: LayerPlan,
}

impl<'a> Collector<'a> {
    pub fn new(maker: KindMaker<'a>) -> Self {
        Self {
            maker,
            known: HashMap::new(),
            roles: Vec::new(),
            shapes: Vec::new(),
            slots: HashMap::new(),
            pieces: BTreeMap::new(),
            plan: LayerPlan::default(),
        }
    }

    pub fn add(&mut self, position: IVec2, tile: &TileRef) {
        let key = TileKey {
            tileset: Arc::as_ptr(&tile.tileset),
            id: tile.id,
            flips: tile.flips,
        };
        if !self.known.contains_key(&key) {
            let known = self.look_up(position, tile);
            self.known.insert(key, known);
        }
        let known = &self.known[&key];
        for (piece, indices) in known.kind.pieces.iter().zip(&known.pieces) {
            let cell = position + piece.cell;
            let slots = self.slots.entry(cell).or_default();
            slots.resize(slots.len().max(indices.role + 1), 0);
            let slot = &mut slots[indices.role];
            let pieces = self.pieces.entry([indices.role, *slot]).or_default();
            *slot += 1;
            pieces.push(Piece {
                cell,
                shape: indices.shape,
                tile: known.tile,
            });
        }
        let loose = known.kind.loose.iter().map(|piece| LoosePlan {
            cell: position,
            tile: known.tile,
            piece: piece.clone(),
        });
        self.plan.loose.extend(loose);
    }

    fn look_up(&mut self, cell: IVec2, tile: &TileRef) -> Known {
        let (kind, errors) = match tile.tileset.tile(tile.id) {
            Some(found) => self.maker.make(tile, found),
            None => {
                let IVec2 { x, y } = cell;
                let error = tile.missing(self.maker.layer_name, MapLocation::Cell { x, y });
                (TileKind::default(), error.into_iter().collect())
            }
        };
        self.plan.errors.extend(errors);
        let pieces = (kind.pieces.iter())
            .map(|piece| PieceIndices {
                role: index_of(&mut self.roles, &piece.role, TiledRole::acts_like),
                shape: index_of(&mut self.shapes, &piece.shape, CellShape::eq),
            })
            .collect();
        self.plan.tiles.push(TiledTile::new(tile));
        let tile = self.plan.tiles.len() as u32 - 1;
        Known { tile, kind, pieces }
    }

    /// All that was added.
    pub fn finish(mut self) -> LayerPlan {
        let mut grids: BTreeMap<GridKey, (CellShapes, Vec<Filled>)> = BTreeMap::new();
        for ([role, slot], pieces) in &self.pieces {
            let block_size = block_size(pieces);
            let mut numbers: HashMap<usize, usize> = HashMap::new();
            for piece in pieces {
                let next = numbers.len();
                let number = *numbers.entry(piece.shape).or_insert(next);
                let block = block_size.map_or(IVec2::ZERO, |size| {
                    piece.cell.div_euclid(IVec2::splat(size))
                });
                let key = GridKey {
                    role: *role,
                    slot: *slot,
                    page: number / NUMBERS,
                    block_y: block.y,
                    block_x: block.x,
                };
                let (shapes, cells) = grids.entry(key).or_default();
                let number = (number % NUMBERS) as u8 + 1;
                if shapes.get(number).is_none() {
                    let shape = self.shapes[piece.shape].clone();
                    *shapes = std::mem::take(shapes).with(number, shape);
                }
                let (cell, tile) = (piece.cell, piece.tile);
                cells.push(Filled { cell, number, tile });
            }
        }
        let grids = grids.into_iter().map(|(key, (shapes, mut cells))| {
            cells.sort_by_key(|filled| (filled.cell.y, filled.cell.x));
            let role = self.roles[key.role];
            GridPlan {
                role,
                shapes,
                cells,
            }
        });
        self.plan.grids = grids.collect();
        self.plan
    }
}

/// How wide and high the grids have to be, if one is not enough.
fn block_size(pieces: &[Piece]) -> Option<i32> {
    let cells = || pieces.iter().map(|piece| piece.cell);
    let [low, high] = [cells().reduce(IVec2::min)?, cells().reduce(IVec2::max)?];
    let extent = high.as_i64vec2() - low.as_i64vec2();
    (extent.max_element() >= i64::from(MAX_EXTENT)).then_some(BLOCK)
}

/// The index of an item, which is added if it is not there.
fn index_of<T: Clone>(items: &mut Vec<T>, item: &T, equals: impl Fn(&T, &T) -> bool) -> usize {
    let found = items.iter().position(|known| equals(known, item));
    found.unwrap_or_else(|| {
        items.push(item.clone());
        items.len() - 1
    })
}
