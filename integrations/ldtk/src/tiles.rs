//! Grids of tiles: flipped, stacked, off the grid, and of another size than the layer's cells.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    LdtkCellKind, LdtkProblem, LdtkRole,
    json::{Tile, TilesetDef},
    layer_reader::{LayerReader, Table, is_too_large},
    rules::{CellRule, Source},
};

/// Where the tiles of a grid can be: its top left in the layer, in pixels, and its size in tiles.
#[derive(Clone, Copy)]
struct Frame {
    top_left: IVec2,
    size: IVec2,
}

/// The top left of a tile in its layer, in pixels, and the numbers of its kinds.
type NumberedTile = (IVec2, Vec<u8>);

/// The numbers of the kinds of tiles, with those of flipped tiles.
struct Numbers<'a> {
    rules: &'a [&'a CellRule],
    /// By index of the rule and flips.
    known: BTreeMap<(usize, u8), Option<u8>>,
    table: Table,
    next: u16,
}

/// The numbers of a role, by index of the cell. Further ones of a cell are in further grids.
#[derive(Default)]
struct Stack(BTreeMap<usize, Vec<u8>>);

/// Adds the grids of the tiles of a layer.
pub(crate) fn read(reader: &mut LayerReader, rules: &[&CellRule]) {
    let Some(tileset) = reader.tileset else {
        if !reader.may_lack_tileset {
            reader.report(LdtkProblem::NoTileset);
        }
        return;
    };
    let tile_size = i32::from(tileset.tile_grid_size);
    if tile_size <= 0 {
        return reader.report(LdtkProblem::ZeroSize("the grid size of its tileset"));
    }
    // `LayerReader::read` checked the number of cells.
    let cells = IVec2::new(reader.layer.columns as i32, reader.layer.rows as i32);
    let mut numbers = Numbers::new(rules);
    for (phase, tiles) in tiles_by_phase(reader, tileset, cells, &mut numbers) {
        let is_aligned = phase == [0, 0] && tileset.tile_grid_size == reader.layer.grid_size;
        let frame = if is_aligned {
            Frame {
                top_left: IVec2::ZERO,
                size: cells,
            }
        } else {
            Frame::around(&tiles, tile_size)
        };
        if is_too_large(frame.size.x.into(), frame.size.y.into()) {
            reader.report(LdtkProblem::TooLarge);
            continue;
        }
        add_frame(reader, &numbers.table, frame, &tiles, tile_size);
    }
}

/// The tiles of a layer that are not open and not outside, by their offset from the grid of tiles.
fn tiles_by_phase(
    reader: &mut LayerReader,
    tileset: &TilesetDef,
    cells: IVec2,
    numbers: &mut Numbers,
) -> BTreeMap<[i32; 2], Vec<NumberedTile>> {
    let has_tag = |tile: i64, tag: &str| {
        let mut tags = tileset.enum_tags.iter();
        tags.any(|known| known.enum_value_id == tag && known.tile_ids.contains(&tile))
    };
    let layer = reader.layer;
    let tile_size = tileset.tile_grid_size.into();
    // It fits: see `Layer::grid_size`.
    let pixels = cells * i32::from(layer.grid_size);
    let mut phases: BTreeMap<[i32; 2], Vec<NumberedTile>> = BTreeMap::new();
    let mut lacks_numbers = false;
    for tile in layer.grid_tiles.iter().chain(&layer.auto_layer_tiles) {
        let chosen = rules_for(tile, numbers.rules, |tag| has_tag(tile.t, tag)).into_iter();
        let chosen: Vec<Option<u8>> = chosen.map(|index| numbers.of(index, tile.f & 3)).collect();
        lacks_numbers |= chosen.contains(&None);
        let top_left = top_left(reader, tile, tile_size);
        let is_inside = top_left.cmpgt(IVec2::splat(-tile_size)) & top_left.cmplt(pixels);
        if is_inside.all() && !chosen.is_empty() {
            let phase = top_left.rem_euclid(IVec2::splat(tile_size));
            let tiles = phases.entry(phase.to_array()).or_default();
            tiles.push((top_left, chosen.into_iter().flatten().collect()));
        }
    }
    if lacks_numbers {
        reader.report(LdtkProblem::TooManyKinds);
    }
    phases
}

/// The indices of the rules for a tile: the one for its number, or all for its tags.
fn rules_for(tile: &Tile, rules: &[&CellRule], has_tag: impl Fn(&str) -> bool) -> Vec<usize> {
    let is_number = |rule: &&CellRule| rule.source == Source::Tile(tile.t);
    if let Some(index) = rules.iter().position(is_number) {
        return vec![index];
    }
    let is_tagged = |rule: &CellRule| matches!(&rule.source, Source::Tag(tag) if has_tag(tag));
    let tagged = (0..).zip(rules).filter(|(_, rule)| is_tagged(rule));
    tagged.map(|(index, _)| index).collect()
}

/// The top left of a tile in its layer, in pixels. A tile of another size than the cell stands on
/// the pivot of the layer, and is flipped with its cell, as in the editor.
fn top_left(reader: &LayerReader, tile: &Tile, tile_size: i32) -> IVec2 {
    let excess = (i32::from(reader.layer.grid_size) - tile_size) as f32;
    let pivot = reader
        .def
        .map_or([0.0; 2], |def| [def.tile_pivot_x, def.tile_pivot_y]);
    let along = |axis: usize| {
        let is_flipped = tile.f & (1 << axis) != 0;
        let pivot = if is_flipped {
            1.0 - pivot[axis]
        } else {
            pivot[axis]
        };
        tile.px[axis].saturating_add((pivot * excess).round() as i32)
    };
    IVec2::new(along(0), along(1))
}

fn add_frame(
    reader: &mut LayerReader,
    table: &Table,
    frame: Frame,
    tiles: &[NumberedTile],
    tile_size: i32,
) {
    let roles = table.roles().into_iter();
    let mut stacks: Vec<(LdtkRole, CellShapes, Stack)> = roles
        .map(|(role, shapes)| (role, shapes, Stack::default()))
        .collect();
    for (top_left, numbers) in tiles {
        let cell = (top_left - frame.top_left) / tile_size;
        let index = (cell.y * frame.size.x + cell.x) as usize;
        for number in numbers {
            let role = table.kinds.get(number).map(|kind| kind.role);
            if let Some((_, _, stack)) = stacks.iter_mut().find(|(known, ..)| Some(*known) == role)
            {
                stack.add(*number, index, table);
            }
        }
    }
    let size = Vec2::splat(tile_size as f32 * reader.units_per_pixel);
    for (role, shapes, stack) in stacks {
        for grid in stack.grids((frame.size.x * frame.size.y) as usize) {
            let columns = frame.size.x as u32;
            let tiles = TileCollider::from_int_grid(columns, grid, size, &shapes);
            reader.add(
                tiles,
                role,
                table,
                frame.top_left.as_vec2(),
                tile_size as f32,
            );
        }
    }
}

impl Frame {
    /// The smallest one with these tiles, of which there is one.
    fn around(tiles: &[NumberedTile], tile_size: i32) -> Self {
        let positions = || tiles.iter().map(|(top_left, _)| *top_left);
        let least = positions().reduce(IVec2::min).unwrap_or_default();
        let most = positions().reduce(IVec2::max).unwrap_or_default();
        Self {
            top_left: least,
            size: (most - least) / tile_size + 1,
        }
    }
}

impl<'a> Numbers<'a> {
    /// The kinds of tiles that are not flipped have the first numbers, in the order of the rules.
    fn new(rules: &'a [&'a CellRule]) -> Self {
        let mut numbers = Self {
            rules,
            known: BTreeMap::new(),
            table: Table::default(),
            next: 1,
        };
        for index in 0..rules.len() {
            numbers.of(index, 0);
        }
        numbers
    }

    /// The number of tiles for which a rule holds. 0 if they are open by the rule. `None` if
    /// there are no more numbers.
    fn of(&mut self, index: usize, flips: u8) -> Option<u8> {
        if let Some(known) = self.known.get(&(index, flips)) {
            return *known;
        }
        let rule = self.rules[index];
        let kind = flipped(&rule.kind, flips);
        let name = match &rule.source {
            Source::Tag(tag) => Some(tag),
            _ => None,
        };
        let table = &mut self.table;
        let known = (table.kinds.iter())
            .find(|(number, known)| **known == kind && table.names.get(number) == name);
        let number = match known {
            _ if kind.shape.is_empty() => Some(0),
            Some((number, _)) => Some(*number),
            None => u8::try_from(self.next).ok(),
        };
        if let Some(number) = number
            && u16::from(number) == self.next
        {
            self.next += 1;
            table.kinds.insert(number, kind);
            table.names.extend(name.map(|name| (number, name.clone())));
        }
        self.known.insert((index, flips), number);
        number
    }
}

fn flipped(kind: &LdtkCellKind, flips: u8) -> LdtkCellKind {
    let mut kind = kind.clone();
    let mut mirror = Vec2::ONE;
    if flips & 1 != 0 {
        kind.shape = kind.shape.flipped_x();
        mirror.x = -1.0;
    }
    if flips & 2 != 0 {
        kind.shape = kind.shape.flipped_y();
        mirror.y = -1.0;
    }
    let direction = kind.role.one_way.map(|direction| *direction * mirror);
    // Adding zero turns minus zero into zero.
    kind.role.one_way =
        direction.map(|direction| Dir2::from_xy_unchecked(direction.x + 0.0, direction.y + 0.0));
    kind
}

impl Stack {
    /// Adds a number to a cell. Full ones are in the first grid, so that walls continue from cell
    /// to cell.
    fn add(&mut self, number: u8, index: usize, table: &Table) {
        let cell = self.0.entry(index).or_default();
        if cell.iter().any(|known| covers(*known, number, table)) {
            return;
        }
        cell.retain(|known| !covers(number, *known, table));
        let is_full = (table.kinds.get(&number)).is_some_and(|kind| kind.shape.is_full());
        cell.insert(if is_full { 0 } else { cell.len() }, number);
    }

    /// The numbers of all cells, this many, in each grid.
    fn grids(self, area: usize) -> Vec<Vec<i32>> {
        let mut grids: Vec<Vec<i32>> = Vec::new();
        for (index, numbers) in self.0 {
            for (depth, number) in numbers.into_iter().enumerate() {
                if depth == grids.len() {
                    grids.push(vec![0; area]);
                }
                grids[depth][index] = number.into();
            }
        }
        grids
    }
}

/// Whether a cell with one number is all that another one of the same role is: its shape, and its
/// name if it has one.
fn covers(number: u8, other: u8, table: &Table) -> bool {
    let [shape, other_shape] =
        [number, other].map(|number| table.kinds.get(&number).map(|kind| &kind.shape));
    let [name, other_name] = [number, other].map(|number| table.names.get(&number));
    (shape.is_some_and(CellShape::is_full) || shape == other_shape)
        && (other_name.is_none() || other_name == name)
}
