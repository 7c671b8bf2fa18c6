//! The grids of a level.

use std::collections::BTreeMap;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    LdtkCellKind, LdtkError, LdtkProblem, LdtkRole, LdtkRules,
    json::{Defs, Layer, LayerDef, Lenient, TilesetDef},
    lacking,
    rules::{CellRule, Source},
    tiles,
};

/// A grid of cells of a level, on the entity of its [`TileCollider`], which is a child of that of
/// the level. Cells of a layer with the same role are one grid. Tiles that are stacked in a cell,
/// or off the grid, are in further ones.
///
/// In grids of IntGrid layers, and of tiles as large as the layer's cells, columns and rows are
/// those of the editor, and numbers up to 255 are those of the values.
#[derive(Component, Clone, Debug, PartialEq)]
pub struct LdtkGrid {
    /// The identifier of the layer.
    pub layer: String,
    /// The iid of the layer in this level.
    pub layer_iid: String,
    /// What its cells do.
    pub role: LdtkRole,
    /// The names of numbers: those of IntGrid values, or of the tags of tiles.
    pub names: BTreeMap<u8, String>,
    /// The index among the grids of the layer with this role.
    pub(crate) index: usize,
}

impl LdtkGrid {
    /// The name that the author of the map gave to a number: of an IntGrid value, or a tag. `None`
    /// for values without a name, and tiles that were chosen by number. Numbers are those of
    /// [`Tiles::number`](bevy_thud::geometry::Tiles::number).
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud::prelude::*;
    /// # use bevy_thud_ldtk::LdtkGrid;
    /// fn burn(mut hits: MessageReader<MoverHit>, grids: Query<(&LdtkGrid, &TileCollider)>) {
    ///     for hit in hits.read() {
    ///         if let Ok((grid, tiles)) = grids.get(hit.blocker)
    ///             && let Some(cell) = hit.cell
    ///             && grid.name_of(tiles.number(cell)) == Some("lava")
    ///         {
    ///             info!("{} burns", hit.entity);
    ///         }
    ///     }
    /// }
    /// # bevy::ecs::system::assert_is_system(burn);
    /// ```
    pub fn name_of(&self, number: u8) -> Option<&str> {
        self.names.get(&number).map(String::as_str)
    }
}

/// A grid of a level, before it is spawned.
#[derive(Clone, Debug, PartialEq)]
pub struct LdtkGridContents {
    /// Its center, in world units from the lower left of the level.
    pub center: Vec2,
    /// Its cells.
    pub tiles: TileCollider,
    /// What it is.
    pub grid: LdtkGrid,
}

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

/// Adds what rules make of a layer.
pub(crate) fn read_layer(
    layer: &Layer,
    defs: &Defs,
    rules: &LdtkRules,
    level_height: f32,
    error: &dyn Fn(LdtkProblem) -> LdtkError,
    errors: &mut Vec<LdtkError>,
) -> Vec<LdtkGridContents> {
    let of_layer: Vec<&CellRule> = rules.of_layer(&layer.identifier).collect();
    if of_layer.is_empty() {
        return Vec::new();
    }
    let def = layer_def(defs, layer);
    let tileset = layer.tileset.or(def.and_then(|def| def.tileset_def_uid));
    let mut tilesets = defs.tilesets.iter().filter_map(Lenient::good);
    let mut reader = LayerReader {
        layer,
        def,
        tileset: tileset.and_then(|uid| tilesets.find(|tileset| tileset.uid == uid)),
        may_lack_tileset: lacking::has_bad(&defs.tilesets),
        rules: of_layer,
        units_per_pixel: rules.units_per_pixel,
        level_height,
        error,
        grids: Vec::new(),
        errors: Vec::new(),
    };
    reader.read();
    errors.append(&mut reader.errors);
    reader.grids
}

pub(crate) fn layer_def<'a>(defs: &'a Defs, layer: &Layer) -> Option<&'a LayerDef> {
    let mut layers = defs.layers.iter().filter_map(Lenient::good);
    let same_uid = layers.clone().find(|def| def.uid == layer.layer_def_uid);
    same_uid.or_else(|| layers.find(|def| def.identifier == layer.identifier))
}

/// Whether a grid is larger than one collider may be, or than is sane.
pub(crate) fn is_too_large(columns: i64, rows: i64) -> bool {
    const MAX_SIDE: i64 = u16::MAX as i64;
    const MAX_CELLS: i64 = 1 << 26;
    columns > MAX_SIDE || rows > MAX_SIDE || columns * rows > MAX_CELLS
}

impl LayerReader<'_> {
    fn read(&mut self) {
        let Layer { columns, rows, .. } = *self.layer;
        let sides = [columns, rows, self.layer.grid_size.into()];
        if let Some(index) = sides.iter().position(|side| *side <= 0) {
            let names = [
                "its number of columns",
                "its number of rows",
                "its grid size",
            ];
            return self.report(LdtkProblem::ZeroSize(names[index]));
        }
        if is_too_large(columns, rows) {
            return self.report(LdtkProblem::TooLarge);
        }
        let is_for_values =
            |rule: &&CellRule| matches!(rule.source, Source::Value(_) | Source::Name(_));
        let (values, tiles): (Vec<_>, Vec<_>) = self.rules.iter().copied().partition(is_for_values);
        if !values.is_empty() {
            self.read_values(&values);
        }
        if !tiles.is_empty() {
            tiles::read(self, &tiles);
        }
    }

    pub fn report(&mut self, problem: LdtkProblem) {
        self.errors.push((self.error)(problem));
    }

    fn read_values(&mut self, rules: &[&CellRule]) {
        let csv = &self.layer.int_grid_csv;
        if csv.is_empty() {
            return self.report(LdtkProblem::NoCells);
        }
        let columns = self.layer.columns as usize;
        let count = columns * self.layer.rows as usize;
        let cell = |index: usize| UVec2::new((index % columns) as u32, (index / columns) as u32);
        if csv.len() != count {
            let problem = LdtkProblem::CellCount {
                expected: count,
                found: csv.len(),
            };
            let error = (self.error)(problem).at_cell(cell(csv.len().min(count)));
            self.errors.push(error);
        }
        let mut bad = (0..)
            .zip(csv.iter().take(count))
            .filter(|(_, cell)| cell.0.is_none());
        if let Some((first, _)) = bad.next() {
            let problem = LdtkProblem::NotANumber(1 + bad.count());
            self.errors.push((self.error)(problem).at_cell(cell(first)));
        }
        let numbers = self.numbers_of_values(rules);
        let mut table = Table::default();
        let values = self.def.map_or(&[][..], |def| &def.int_grid_values);
        for (value, (number, kind)) in &numbers {
            if !kind.shape.is_empty() {
                table.kinds.insert(*number, kind.clone());
            }
            let mut values = values.iter();
            let def = values.find(|def| def.value == *value);
            if let Some(name) = def.and_then(|def| def.identifier.as_ref()) {
                table.names.insert(*number, name.clone());
            }
        }
        let number_of = |value: Option<i64>| {
            let entry = value.and_then(|value| numbers.get(&value));
            entry.map_or(0, |(number, _)| i32::from(*number))
        };
        let listed = csv.iter().map(|cell| number_of(cell.0));
        // Missing cells are open.
        let cells = listed.chain(std::iter::repeat(0)).take(count);
        let cell_size = f32::from(self.layer.grid_size);
        let size = Vec2::splat(cell_size * self.units_per_pixel);
        for (role, shapes) in table.roles() {
            let tiles = TileCollider::from_int_grid(columns as u32, cells.clone(), size, &shapes);
            self.add(tiles, role, &table, Vec2::ZERO, cell_size);
        }
    }

    /// The numbers in a grid, 1 to 255, of the values that are not open, with their kinds.
    fn numbers_of_values(&mut self, rules: &[&CellRule]) -> BTreeMap<i64, (u8, LdtkCellKind)> {
        let values = self.def.map_or(&[][..], |def| &def.int_grid_values);
        let mut kinds = BTreeMap::new();
        for rule in rules {
            let value = match &rule.source {
                Source::Value(value) => Some(*value),
                Source::Name(name) => {
                    let is_named = |identifier: &String| identifier == name;
                    let mut values = values.iter();
                    let value =
                        values.find(|value| value.identifier.as_ref().is_some_and(is_named));
                    value.map(|value| value.value)
                }
                Source::Tag(_) | Source::Tile(_) => None,
            };
            // 0 is an empty cell.
            if let Some(value) = value.filter(|value| *value > 0) {
                kinds.insert(value, rule.kind.clone());
            }
        }
        let mut numbers = BTreeMap::new();
        let fits = |value: i64| u8::try_from(value).ok();
        let mut free = (1..=u8::MAX).filter(|number| !kinds.contains_key(&i64::from(*number)));
        for (value, kind) in &kinds {
            let Some(number) = fits(*value).or_else(|| free.next()) else {
                self.report(LdtkProblem::TooManyKinds);
                break;
            };
            numbers.insert(*value, (number, kind.clone()));
        }
        numbers
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
