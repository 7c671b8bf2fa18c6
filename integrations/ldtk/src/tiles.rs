//! Grids of tiles: flipped, stacked, off the grid, and of another size than the layer's cells.

use std::collections::BTreeMap;

use bevy::{math::I64Vec2, prelude::*};
use bevy_thud::prelude::*;

use crate::{
    LdtkProblem,
    grids::{LayerReader, Table, is_too_large},
    json::Tile,
    rules::{CellRule, Source},
};

/// Where the tiles of a grid can be: its top left in the layer, in pixels, and its size in tiles.
#[derive(Clone, Copy)]
struct Frame {
    top_left: I64Vec2,
    size: I64Vec2,
}

/// The numbers of the kinds of tiles, with those of flipped tiles.
struct Numbers<'a> {
    rules: &'a [&'a CellRule],
    /// By index of the rule and flips.
    known: BTreeMap<(usize, u8), Option<u8>>,
    table: Table,
    next: u16,
}

/// The cells of a role: the first grid, and more where one cell has several.
struct Stack {
    role: CellRole,
    grids: Vec<Vec<u8>>,
}

/// Adds the grids of the tiles of a layer.
pub(crate) fn read(reader: &mut LayerReader, rules: &[&CellRule]) {
    let Some(tileset) = reader.tileset else {
        return reader.report(LdtkProblem::NoTileset);
    };
    let tile_size = tileset.tile_grid_size;
    if tile_size <= 0 {
        return reader.report(LdtkProblem::ZeroSize("the grid size of its tileset"));
    }
    let mut numbers = Numbers::new(rules);
    let mut frames: BTreeMap<[i64; 2], Vec<(I64Vec2, Vec<u8>)>> = BTreeMap::new();
    let layer = reader.layer;
    let mut lacks_numbers = false;
    for tile in layer.grid_tiles.iter().chain(&layer.auto_layer_tiles) {
        let chosen = rules_for(tile, rules, |tag| {
            let mut tags = tileset.enum_tags.iter();
            tags.any(|known| known.enum_value_id == tag && known.tile_ids.contains(&tile.t))
        });
        let chosen: Vec<Option<u8>> = (chosen.into_iter())
            .map(|index| numbers.of(index, tile.f & 3))
            .collect();
        lacks_numbers |= chosen.contains(&None);
        let top_left = top_left(reader, tile, tile_size);
        let is_inside = top_left.cmpgt(I64Vec2::splat(-tile_size)).all()
            && top_left
                .cmplt(I64Vec2::new(layer.columns, layer.rows) * layer.grid_size)
                .all();
        if is_inside && !chosen.is_empty() {
            let phase = top_left.rem_euclid(I64Vec2::splat(tile_size));
            let tiles = frames.entry(phase.to_array()).or_default();
            tiles.push((top_left, chosen.into_iter().flatten().collect()));
        }
    }
    if lacks_numbers {
        reader.report(LdtkProblem::TooManyKinds);
    }
    for (phase, tiles) in frames {
        let is_aligned = phase == [0, 0] && tile_size == layer.grid_size;
        let frame = if is_aligned {
            Frame {
                top_left: I64Vec2::ZERO,
                size: I64Vec2::new(layer.columns, layer.rows),
            }
        } else {
            Frame::around(&tiles, tile_size)
        };
        if is_too_large(frame.size.x, frame.size.y) {
            reader.report(LdtkProblem::TooLarge);
            continue;
        }
        add_frame(reader, &numbers.table, frame, &tiles, tile_size);
    }
}

/// The indices of the rules for a tile: the last one for its number, or all for its tags.
fn rules_for(tile: &Tile, rules: &[&CellRule], has_tag: impl Fn(&str) -> bool) -> Vec<usize> {
    let is_number = |rule: &&CellRule| rule.source == Source::Tile(tile.t);
    if let Some(index) = rules.iter().rposition(is_number) {
        return vec![index];
    }
    let is_tagged = |rule: &CellRule| matches!(&rule.source, Source::Tag(tag) if has_tag(tag));
    let tagged = (0..).zip(rules).filter(|(_, rule)| is_tagged(rule));
    tagged.map(|(index, _)| index).collect()
}

/// The top left of a tile in its layer, in pixels. A tile of another size than the cell stands on
/// the pivot of the layer, and is flipped with its cell, as in the editor.
fn top_left(reader: &LayerReader, tile: &Tile, tile_size: i64) -> I64Vec2 {
    let excess = (reader.layer.grid_size - tile_size) as f32;
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
        tile.px[axis].clamp(-LIMIT, LIMIT) + (pivot * excess).round() as i64
    };
    I64Vec2::new(along(0), along(1))
}

/// What no layer is as large as, in pixels.
const LIMIT: i64 = 1 << 40;

fn add_frame(
    reader: &mut LayerReader,
    table: &Table,
    frame: Frame,
    tiles: &[(I64Vec2, Vec<u8>)],
    tile_size: i64,
) {
    let roles = table.kinds.roles().into_iter();
    let mut stacks: Vec<Stack> = roles
        .map(|role| Stack {
            role,
            grids: Vec::new(),
        })
        .collect();
    let area = (frame.size.x * frame.size.y) as usize;
    for (top_left, numbers) in tiles {
        let cell = (top_left - frame.top_left) / tile_size;
        let index = (cell.y * frame.size.x + cell.x) as usize;
        for number in numbers {
            let kind = table.kinds.get(*number);
            let stack = kind.and_then(|kind| {
                let mut stacks = stacks.iter_mut();
                stacks.find(|stack| stack.role == kind.role)
            });
            if let Some(stack) = stack {
                stack.add(*number, index, area, &table.kinds);
            }
        }
    }
    let size = Vec2::splat(tile_size as f32 * reader.units_per_pixel);
    for Stack { role, grids } in stacks {
        let shapes = table.kinds.shapes_of(&role);
        for grid in grids {
            let numbers = grid.into_iter().map(i32::from);
            let columns = frame.size.x as u32;
            let tiles = TileCollider::from_int_grid(columns, numbers, size, &shapes);
            let cells = CellGrid { tiles, role };
            reader.add(cells, table, frame.top_left.as_vec2(), tile_size as f32);
        }
    }
}

impl Frame {
    /// The smallest one with these tiles, of which there is one.
    fn around(tiles: &[(I64Vec2, Vec<u8>)], tile_size: i64) -> Self {
        let positions = || tiles.iter().map(|(top_left, _)| *top_left);
        let least = positions().reduce(I64Vec2::min).unwrap_or_default();
        let most = positions().reduce(I64Vec2::max).unwrap_or_default();
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
        let is_same =
            |number: u8, known: &CellKind| *known == kind && table.names.get(&number) == name;
        let known = table
            .kinds
            .iter()
            .find(|(number, known)| is_same(*number, known));
        let number = match known {
            _ if kind.shape.is_empty() => Some(0),
            Some((number, _)) => Some(number),
            None => u8::try_from(self.next).ok(),
        };
        if let Some(number) = number
            && u16::from(number) == self.next
        {
            self.next += 1;
            table.kinds.set(number, kind);
            table.names.extend(name.map(|name| (number, name.clone())));
        }
        self.known.insert((index, flips), number);
        number
    }
}

fn flipped(kind: &CellKind, flips: u8) -> CellKind {
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
    /// Adds a number to those of a cell. A full cell is all of it, in the first grid, so that walls
    /// go on from cell to cell.
    fn add(&mut self, number: u8, index: usize, area: usize, kinds: &CellKinds) {
        let shape = |number: u8| kinds.get(number).map(|kind| &kind.shape);
        let is_full = |number: u8| shape(number).is_some_and(CellShape::is_full);
        let mut here = self.grids.iter().map(|grid| grid[index]);
        if here.any(|known| is_full(known) || shape(known) == shape(number)) {
            return;
        }
        if is_full(number) {
            self.grids.iter_mut().for_each(|grid| grid[index] = 0);
        }
        let free = self.grids.iter().position(|grid| grid[index] == 0);
        let grid = free.unwrap_or_else(|| {
            self.grids.push(vec![0; area]);
            self.grids.len() - 1
        });
        self.grids[grid][index] = number;
    }
}
