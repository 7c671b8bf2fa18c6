//! The grids of a level.

use crate::{
    LdtkError, LdtkGridContents, LdtkProblem, LdtkRules,
    json::{Defs, Layer, LayerDef, Lenient},
    lacking,
    layer_reader::{self, LayerReader},
    rules::{CellRule, Source},
    tiles, values,
};

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
    read(&mut reader);
    errors.append(&mut reader.errors);
    reader.grids
}

fn layer_def<'a>(defs: &'a Defs, layer: &Layer) -> Option<&'a LayerDef> {
    let mut layers = defs.layers.iter().filter_map(Lenient::good);
    let same_uid = layers.clone().find(|def| def.uid == layer.layer_def_uid);
    same_uid.or_else(|| layers.find(|def| def.identifier == layer.identifier))
}

fn read(reader: &mut LayerReader) {
    let Layer { columns, rows, .. } = *reader.layer;
    let sides = [columns, rows, reader.layer.grid_size.into()];
    if let Some(index) = sides.iter().position(|side| *side <= 0) {
        let names = [
            "its number of columns",
            "its number of rows",
            "its grid size",
        ];
        return reader.report(LdtkProblem::ZeroSize(names[index]));
    }
    if layer_reader::is_too_large(columns, rows) {
        return reader.report(LdtkProblem::TooLarge);
    }
    let is_for_values =
        |rule: &&CellRule| matches!(rule.source, Source::Value(_) | Source::Name(_));
    let (values, tiles): (Vec<_>, Vec<_>) = reader.rules.iter().copied().partition(is_for_values);
    if !values.is_empty() {
        values::read(reader, &values);
    }
    if !tiles.is_empty() {
        tiles::read(reader, &tiles);
    }
}
