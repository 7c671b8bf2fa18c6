//! Grids of the values of an IntGrid layer.

use std::{collections::BTreeMap, iter};

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_maps::MapLocation;

use crate::{
    LdtkCellKind, LdtkProblem,
    json::IntGridValue,
    layer_reader::{LayerReader, Table},
    rules::{CellRule, Source},
};

/// The numbers in a grid, 1 to 255, of the values that are not open, with their kinds.
type Numbers = BTreeMap<i64, (u8, LdtkCellKind)>;

/// Adds the grids of the values of a layer, which has a size.
pub(crate) fn read(reader: &mut LayerReader, rules: &[&CellRule]) {
    let csv = &reader.layer.int_grid_csv;
    if csv.is_empty() {
        return reader.report(LdtkProblem::NoIntGrid);
    }
    let columns = reader.layer.columns as usize;
    let count = columns * reader.layer.rows as usize;
    check_cells(reader, columns, count);
    let numbers = numbers(reader, rules);
    let table = table(&numbers, values(reader));
    let number_of = |value: Option<i64>| {
        let entry = value.and_then(|value| numbers.get(&value));
        entry.map_or(0, |(number, _)| i32::from(*number))
    };
    let listed = csv.iter().map(|cell| number_of(cell.0));
    // Missing cells are open.
    let cells = listed.chain(iter::repeat(0)).take(count);
    let cell_size = f32::from(reader.layer.grid_size);
    let size = Vec2::splat(cell_size * reader.units_per_pixel);
    for (role, shapes) in table.roles() {
        let tiles = TileCollider::from_int_grid(columns as u32, cells.clone(), size, &shapes);
        reader.add(tiles, role, &table, Vec2::ZERO, cell_size);
    }
}

/// Reports how many cells are missing, too many or not numbers.
fn check_cells(reader: &mut LayerReader, columns: usize, count: usize) {
    let csv = &reader.layer.int_grid_csv;
    let cell = |index: usize| MapLocation::Cell {
        x: (index % columns) as i32,
        y: (index / columns) as i32,
    };
    if csv.len() != count {
        let problem = LdtkProblem::CellCount {
            expected: count,
            found: csv.len(),
        };
        let error = (reader.error)(problem).at(cell(csv.len().min(count)));
        reader.errors.push(error);
    }
    let mut bad = (0..)
        .zip(csv.iter().take(count))
        .filter(|(_, cell)| cell.0.is_none());
    if let Some((first, _)) = bad.next() {
        let problem = LdtkProblem::NotANumber(1 + bad.count());
        let error = (reader.error)(problem).at(cell(first));
        reader.errors.push(error);
    }
}

/// The definitions of the values of a layer.
fn values<'a>(reader: &LayerReader<'a>) -> &'a [IntGridValue] {
    reader.def.map_or(&[], |def| &def.int_grid_values)
}

fn table(numbers: &Numbers, values: &[IntGridValue]) -> Table {
    let mut table = Table::default();
    for (value, (number, kind)) in numbers {
        if !kind.shape.is_empty() {
            table.kinds.insert(*number, kind.clone());
        }
        let def = values.iter().find(|def| def.value == *value);
        if let Some(name) = def.and_then(|def| def.identifier.as_ref()) {
            table.names.insert(*number, name.clone());
        }
    }
    table
}

fn numbers(reader: &mut LayerReader, rules: &[&CellRule]) -> Numbers {
    let values = values(reader);
    let mut kinds = BTreeMap::new();
    for rule in rules {
        let value = match &rule.source {
            Source::Value(value) => Some(*value),
            Source::Name(name) => {
                let mut values = values.iter();
                let value = values.find(|value| value.identifier.as_ref() == Some(name));
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
            reader.report(LdtkProblem::TooManyKinds);
            break;
        };
        numbers.insert(*value, (number, kind.clone()));
    }
    numbers
}
