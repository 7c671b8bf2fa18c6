//! What rules make of a level, before it is spawned.

use bevy::prelude::*;

use crate::{
    LdtkEntityContents, LdtkError, LdtkFields, LdtkGridContents, LdtkLevel, LdtkMap, LdtkProblem,
    LdtkRules, entities,
    error::grouped,
    grids,
    json::{Layer, Lenient},
    map::{Layers, MapLevel},
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
    /// Each kind of mistake is listed once, with its [count](LdtkError::count).
    pub fn errors(&self, rules: &LdtkRules) -> Vec<LdtkError> {
        let mut errors = self.errors_outside_of_levels(rules);
        for level in &self.levels {
            match self.contents_of(level, rules) {
                Ok(contents) => errors.extend(contents.errors),
                Err(error) => {
                    errors.extend(level.errors.iter().cloned());
                    errors.push(error);
                }
            }
        }
        grouped(errors)
    }

    pub(crate) fn contents_of(
        &self,
        level: &MapLevel,
        rules: &LdtkRules,
    ) -> Result<LdtkContents, LdtkError> {
        let identifier = level.level.identifier.as_str();
        let file = level.file.as_ref().unwrap_or(&self.file);
        let error = |problem| LdtkError::new(file, problem).in_level(identifier);
        let layers = match &level.layers {
            Layers::Here(layers) => layers,
            Layers::Elsewhere { path, error: known } => {
                let not_loaded = || error(LdtkProblem::NotLoaded(path.clone()));
                return Err(known.clone().unwrap_or_else(not_loaded));
            }
        };
        let center_of = |cell: Vec2| {
            let center = (cell + 0.5) * self.default_grid_size;
            Vec2::new(center.x, level.level.size.y - center.y) * rules.units_per_pixel
        };
        let read = LdtkFields::read(&level.fields, center_of);
        let mut errors = level.errors.clone();
        let reasons = read.reasons.into_iter().map(LdtkProblem::Malformed);
        errors.extend(reasons.map(error));
        let mut contents = LdtkContents {
            level: level.level.clone(),
            origin: level.origin(rules),
            fields: read.fields,
            grids: Vec::new(),
            entities: Vec::new(),
            errors,
        };
        self.read_layers(layers, rules, &error, &mut contents);
        Ok(contents)
    }

    fn read_layers(
        &self,
        layers: &[Lenient<Layer>],
        rules: &LdtkRules,
        error: &dyn Fn(LdtkProblem) -> LdtkError,
        contents: &mut LdtkContents,
    ) {
        let (level, defs, errors) = (&contents.level, &self.defs, &mut contents.errors);
        for layer in layers {
            let layer = match layer {
                Lenient::Good(layer) => layer,
                Lenient::Bad { name, why } => {
                    let error = error(LdtkProblem::Malformed(why.clone()));
                    errors.push(error.in_layer(name));
                    continue;
                }
            };
            let in_layer = |problem| error(problem).in_layer(&layer.identifier);
            if layer.kind == "Entities" {
                let added = entities::read_layer(layer, defs, rules, level, &in_layer, errors);
                contents.entities.extend(added);
            } else {
                let height = level.size.y;
                let added = grids::read_layer(layer, defs, rules, height, &in_layer, errors);
                contents.grids.extend(added);
            }
        }
    }
}
