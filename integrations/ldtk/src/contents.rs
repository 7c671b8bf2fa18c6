//! What rules make of a level, before it is spawned.

use std::collections::BTreeSet;

use bevy::prelude::*;

use crate::{
    LdtkEntityContents, LdtkError, LdtkFields, LdtkGridContents, LdtkLevel, LdtkMap, LdtkProblem,
    LdtkRules, entities, grids,
    json::{Defs, LayerDef, Lenient},
    map::{Layers, MapLevel},
    rules::{CellRule, Source},
};

/// What rules make of a level: data, to spawn or to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct LdtkContents {
    /// The level.
    pub level: LdtkLevel,
    /// The lower left of the level in the world, in world units.
    pub origin: Vec2,
    /// The fields of the level.
    pub fields: LdtkFields,
    /// The grids, from the top layer to the lowest one.
    pub grids: Vec<LdtkGridContents>,
    /// The entities, in the same order.
    pub entities: Vec<LdtkEntityContents>,
    /// What is wrong in this level.
    pub errors: Vec<LdtkError>,
}

impl LdtkMap {
    /// What rules make of a level, by its iid or identifier, without a world.
    ///
    /// # Errors
    ///
    /// If there is no such level, several have this identifier, or its file was not read. What is
    /// wrong inside of it is in [`LdtkContents::errors`]; the rest of the level is there.
    pub fn contents(&self, level: &str, rules: &LdtkRules) -> Result<LdtkContents, LdtkError> {
        self.contents_of(self.find(level)?, rules)
    }

    /// All that is wrong with the map and the rules for it, in any level: for a test of the game.
    pub fn errors(&self, rules: &LdtkRules) -> Vec<LdtkError> {
        let mut errors = self.errors.clone();
        errors.extend(self.errors_of(rules));
        for level in &self.levels {
            match self.contents_of(level, rules) {
                Ok(contents) => errors.extend(contents.errors),
                Err(error) => errors.push(error),
            }
        }
        errors
    }

    pub(crate) fn contents_of(
        &self,
        level: &MapLevel,
        rules: &LdtkRules,
    ) -> Result<LdtkContents, LdtkError> {
        let identifier = level.level.identifier.as_str();
        let error = |problem| LdtkError::new(&self.file, problem).in_level(identifier);
        let layers = match &level.layers {
            Layers::Here(layers) => layers,
            Layers::Elsewhere(path) => return Err(error(LdtkProblem::NotLoaded(path.clone()))),
        };
        let height = level.level.size.y;
        let to_level =
            |position: Vec2| Vec2::new(position.x, height - position.y) * rules.units_per_pixel;
        let read = LdtkFields::read(&level.fields, self.default_grid_size, to_level);
        let reasons = read.reasons.into_iter();
        let mut contents = LdtkContents {
            level: level.level.clone(),
            origin: level.origin(rules),
            fields: read.fields,
            grids: Vec::new(),
            entities: Vec::new(),
            errors: reasons
                .map(|why| error(LdtkProblem::Malformed(why)))
                .collect(),
        };
        for layer in layers {
            let layer = match layer {
                Lenient::Good(layer) => layer,
                Lenient::Bad { name, why } => {
                    let error = error(LdtkProblem::Malformed(why.clone()));
                    contents.errors.push(error.in_layer(name));
                    continue;
                }
            };
            let in_layer = |problem| error(problem).in_layer(&layer.identifier);
            let errors = &mut contents.errors;
            if layer.kind == "Entities" {
                let added =
                    entities::read_layer(layer, &self.defs, rules, &level.level, &in_layer, errors);
                contents.entities.extend(added);
            } else {
                let added = grids::read_layer(layer, &self.defs, rules, height, &in_layer, errors);
                contents.grids.extend(added);
            }
        }
        Ok(contents)
    }

    /// What the rules name and the map does not have.
    pub(crate) fn errors_of(&self, rules: &LdtkRules) -> Vec<LdtkError> {
        let mut errors = Vec::new();
        let mut unknown = BTreeSet::new();
        for rule in &rules.cells {
            let layer = rule.layer.as_str();
            let error = |problem| LdtkError::new(&self.file, problem).in_layer(layer);
            let mut defs = self.defs.layers.iter();
            match defs.find(|def| def.identifier == layer) {
                Some(def) => errors.extend(missing(rule, def, &self.defs).map(error)),
                None if unknown.insert(layer) => errors.push(error(LdtkProblem::NoLayer)),
                None => {}
            }
        }
        errors
    }
}

/// What a rule names and a layer does not have.
fn missing(rule: &CellRule, def: &LayerDef, defs: &Defs) -> Option<LdtkProblem> {
    match &rule.source {
        Source::Name(name) => {
            let mut values = def.int_grid_values.iter();
            let is_known = values.any(|value| value.identifier.as_ref() == Some(name));
            (!is_known).then(|| LdtkProblem::NoValue(name.clone()))
        }
        Source::Tag(tag) => {
            // An instance of the layer may have another tileset.
            let mut tags = defs.tilesets.iter().flat_map(|tileset| &tileset.enum_tags);
            let is_known = tags.any(|known| known.enum_value_id == *tag);
            (!is_known).then(|| LdtkProblem::NoTag(tag.clone()))
        }
        Source::Value(_) | Source::Tile(_) => None,
    }
}
