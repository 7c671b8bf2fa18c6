//! What is read of a layer with cells, and where the grids that it becomes are.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    LdtkCellKind, LdtkError, LdtkGrid, LdtkGridContents, LdtkProblem, LdtkRole,
    json::{Layer, LayerDef, TilesetDef},
    rules::CellRule,
};

/// The rules for a layer of a level, and where their results go.
pub(crate) struct LayerReader<'a> {
    pub layer: &'a Layer,
    pub def: Option<&'a LayerDef>,
    pub tileset: Option<&'a TilesetDef>,
    /// Whether a tileset is not as LDtk writes it, which is reported for the map.
    pub may_lack_tileset: bool,
    pub rules: Vec<&'a CellRule>,
    pub units_per_pixel: f32,
    /// The lower edge of the level in the frame of the layer: pixels down from its top.
    pub level_height: f32,
    /// Makes an error in this layer.
    pub error: &'a dyn Fn(LdtkProblem) -> LdtkError,
    pub grids: Vec<LdtkGridContents>,
    pub errors: Vec<LdtkError>,
}

/// The kinds of a layer that are not open, and their names, by number.
#[derive(Default)]
pub(crate) struct Table {
    pub kinds: BTreeMap<u8, LdtkCellKind>,
    pub names: BTreeMap<u8, String>,
}

impl Table {
    /// The roles, each once, with the shapes of their kinds, in the order of their first numbers.
    pub fn roles(&self) -> Vec<(LdtkRole, CellShapes)> {
        let mut roles: Vec<(LdtkRole, CellShapes)> = Vec::new();
        for (number, LdtkCellKind { shape, role }) in &self.kinds {
            let known = roles.iter().position(|(known, _)| known == role);
            let index = known.unwrap_or_else(|| {
                roles.push((*role, CellShapes::new()));
                roles.len() - 1
            });
            let shapes = std::mem::take(&mut roles[index].1);
            roles[index].1 = shapes.with(*number, shape.clone());
        }
        roles
    }
}

/// Whether a grid is larger than one collider may be, or than is sane.
pub(crate) fn is_too_large(columns: i64, rows: i64) -> bool {
    const MAX_SIDE: i64 = u16::MAX as i64;
    const MAX_CELLS: i64 = 1 << 26;
    columns > MAX_SIDE || rows > MAX_SIDE || columns * rows > MAX_CELLS
}

impl LayerReader<'_> {
    pub fn report(&mut self, problem: LdtkProblem) {
        self.errors.push((self.error)(problem));
    }

    /// Adds a grid whose top left is at `top_left` in the layer, in pixels.
    pub fn add(
        &mut self,
        tiles: TileCollider,
        role: LdtkRole,
        table: &Table,
        top_left: Vec2,
        cell_size: f32,
    ) {
        let layer = self.layer;
        let pixels = tiles.size().as_vec2() * cell_size;
        let center = top_left + pixels / 2.0 + Vec2::new(layer.offset_x, layer.offset_y);
        let center = Vec2::new(center.x, self.level_height - center.y) * self.units_per_pixel;
        let is_same_role = |grid: &&LdtkGridContents| grid.grid.role == role;
        let has_role = |number: &u8| {
            let kind = table.kinds.get(number);
            kind.is_some_and(|kind| kind.role == role)
        };
        let names = table.names.iter().filter(|(number, _)| has_role(number));
        let grid = LdtkGrid {
            layer: layer.identifier.clone(),
            layer_iid: layer.iid.clone(),
            role,
            names: names
                .map(|(number, name)| (*number, name.clone()))
                .collect(),
            index: self.grids.iter().filter(is_same_role).count(),
        };
        self.grids.push(LdtkGridContents {
            center,
            tiles,
            grid,
        });
    }
}
