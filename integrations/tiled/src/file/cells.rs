//! Reads the cells of layers.

use std::sync::Arc;

use bevy::math::{IVec2, UVec2};

use super::{
    Map, TileRef, Tileset,
    data::{self, Decoded},
    tilesets,
    xml::Element,
};
use crate::{error::TiledProblem, flips::TiledFlips};
use bevy_thud_maps::MapLocation;

/// The bits of flips: horizontal, vertical, diagonal, and one of hexagonal maps.
const FLIPS: u32 = 0xF000_0000;
/// Chunks farther away than this, in cells, are a mistake.
const MAX_DISTANCE: u32 = 1 << 24;

/// The tilesets of a map or a template, by the first of their global numbers.
pub(crate) struct Tilesets(Vec<(u32, Arc<Tileset>)>);

impl Tilesets {
    pub fn read(parent: Element) -> Self {
        let tilesets = parent.children_of("tileset").map(|element| {
            let tileset = match element.get("source") {
                Some(path) => (element.file.files).tileset(&element.file.relative(path)),
                None => Arc::new(tilesets::read(element)),
            };
            (element.int("firstgid").unwrap_or(1), tileset)
        });
        let mut tilesets: Vec<_> = tilesets.collect();
        tilesets.sort_by_key(|(first, _)| *first);
        Self(tilesets)
    }

    /// The tile with a global number, or none for 0. An error has the number without its flips.
    pub fn tile(&self, gid: u32) -> Result<Option<TileRef>, u32> {
        let number = gid & !FLIPS;
        if number == 0 {
            return Ok(None);
        }
        let index = self.0.partition_point(|(first, _)| *first <= number);
        let (first, tileset) = index.checked_sub(1).map(|it| &self.0[it]).ok_or(number)?;
        Ok(Some(TileRef {
            tileset: tileset.clone(),
            id: number - first,
            flips: TiledFlips {
                horizontal: gid >> 31 & 1 == 1,
                vertical: gid >> 30 & 1 == 1,
                diagonal: gid >> 29 & 1 == 1,
            },
        }))
    }
}

/// The cells of a layer that are not empty, row by row.
pub(crate) fn read(layer: Element, map: &Map, tilesets: &Tilesets) -> Vec<(IVec2, TileRef)> {
    let side = |name, of_map| layer.int(name).unwrap_or(of_map);
    let size = UVec2::new(side("width", map.size.x), side("height", map.size.y));
    let data = layer.child("data");
    let Some(data) = data.filter(|_| size.min_element() > 0 || map.is_infinite) else {
        layer.report(TiledProblem::NoCells);
        return Vec::new();
    };
    let mut reader = Reader {
        data,
        tilesets,
        cells: Vec::new(),
        unknown: Vec::new(),
    };
    let has_chunks = data.child("chunk").is_some();
    let is_empty = data.child("tile").is_none() && data.text().trim().is_empty();
    if !is_empty || !(has_chunks || map.is_infinite) {
        reader.add(data, IVec2::ZERO, size);
    }
    for chunk in data.children_of("chunk") {
        reader.add_chunk(chunk);
    }
    reader.finish()
}

/// What was read of one layer.
struct Reader<'a> {
    data: Element<'a>,
    tilesets: &'a Tilesets,
    cells: Vec<(IVec2, TileRef)>,
    /// Cells with a number that no tileset has.
    unknown: Vec<(IVec2, u32)>,
}

impl Reader<'_> {
    fn add_chunk(&mut self, chunk: Element) {
        let [width, height] = ["width", "height"].map(|name| chunk.int(name).unwrap_or(0));
        let first = ["x", "y"].map(|name| chunk.int(name));
        let is_near = |it: &i32| it.unsigned_abs() <= MAX_DISTANCE;
        match first.map(|it| it.filter(is_near)) {
            [Some(x), Some(y)] if width > 0 && height > 0 => {
                self.add(chunk, IVec2::new(x, y), UVec2::new(width, height));
            }
            _ => {
                let error = "a chunk has no position or no size";
                chunk.report(TiledProblem::Data(error.into()));
            }
        }
    }

    /// Adds what is in `chunk`, which may be all of the data.
    fn add(&mut self, chunk: Element, first: IVec2, size: UVec2) {
        let [encoding, compression] = ["encoding", "compression"].map(|it| self.data.get(it));
        let Decoded { gids, malformed } = match data::decode(chunk, encoding, compression) {
            Ok(decoded) => decoded,
            Err(error) => return chunk.report(TiledProblem::Data(error)),
        };
        let [found, expected] = [gids.len() as u64, size.as_u64vec2().element_product()];
        if found != expected {
            chunk.report(TiledProblem::CellCount { expected, found });
        }
        if expected == 0 {
            return;
        }
        let position = |index: usize| {
            let width = size.x as usize;
            first + IVec2::new((index % width) as i32, (index / width) as i32)
        };
        let more = malformed.len();
        if let Some((index, found)) = malformed.into_iter().next() {
            report(chunk, position(index), TiledProblem::Cell { found }, more);
        }
        let expected = usize::try_from(expected).unwrap_or(usize::MAX);
        for (index, gid) in gids.into_iter().take(expected).enumerate() {
            let position = position(index);
            match self.tilesets.tile(gid) {
                Ok(tile) => self.cells.extend(tile.map(|tile| (position, tile))),
                Err(gid) => self.unknown.push((position, gid)),
            }
        }
    }

    fn finish(self) -> Vec<(IVec2, TileRef)> {
        if let Some(&(position, gid)) = self.unknown.first() {
            let problem = TiledProblem::UnknownGid { gid };
            report(self.data, position, problem, self.unknown.len());
        }
        // A later chunk replaces what is in an earlier one.
        let mut cells = self.cells;
        cells.reverse();
        cells.sort_by_key(|(position, _)| (position.y, position.x));
        cells.dedup_by_key(|(position, _)| *position);
        cells
    }
}

/// Something is wrong with this many cells, of which the first is at `position`.
fn report(element: Element, position: IVec2, problem: TiledProblem, count: usize) {
    let IVec2 { x, y } = position;
    element.report_all(MapLocation::Cell { x, y }, problem, count);
}
