//! What rules name and a map does not have.

use bevy_thud_maps::MapLocation;
use std::collections::BTreeSet;

use crate::{
    LdtkError, LdtkMap, LdtkProblem, LdtkRules,
    json::{Defs, LayerDef, Lenient},
    rules::{CellRule, Chosen, Source},
};

impl LdtkMap {
    /// What is wrong with the map outside of its levels, and with the rules for it.
    pub(crate) fn errors_outside_of_levels(&self, rules: &LdtkRules) -> Vec<LdtkError> {
        let mut errors = self.errors.clone();
        errors.extend(self.errors_of(rules));
        errors
    }

    /// What the rules name and the map does not have. What may be in a definition that is not as
    /// LDtk writes it is not reported again.
    fn errors_of(&self, rules: &LdtkRules) -> Vec<LdtkError> {
        let mut errors = Vec::new();
        let mut unknown = BTreeSet::new();
        let layers = || good(&self.defs.layers);
        for rule in &rules.cells {
            let layer = rule.layer.as_str();
            let error = |problem| LdtkError::new(&self.file, problem).in_layer(layer);
            match layers().find(|def| def.identifier == layer) {
                Some(def) => errors.extend(lacking(rule, def, &self.defs).map(error)),
                None if is_bad(&self.defs.layers, layer) => {}
                None if unknown.insert(layer) => {
                    let known = names(layers().map(|def| &def.identifier));
                    errors.push(error(LdtkProblem::NoLayer(known)));
                }
                None => {}
            }
        }
        let chosen = rules.entities.iter().map(|(chosen, _)| chosen);
        errors.extend(chosen.filter_map(|chosen| self.lacking_entity(chosen)));
        errors
    }

    fn lacking_entity(&self, chosen: &Chosen) -> Option<LdtkError> {
        let defs = &self.defs.entities;
        let error = |problem| LdtkError::new(&self.file, problem);
        match chosen {
            Chosen::Identifier(name) => {
                let known = names(good(defs).map(|def| &def.identifier));
                let is_known = known.contains(name) || is_bad(defs, name);
                (!is_known).then(|| {
                    error(LdtkProblem::NoEntity(known)).at(MapLocation::Entity(name.clone()))
                })
            }
            Chosen::Tag(tag) => {
                let known = names(good(defs).flat_map(|def| &def.tags));
                let is_known = known.contains(tag) || has_bad(defs);
                let name = tag.clone();
                (!is_known).then(|| error(LdtkProblem::NoEntityTag { name, known }))
            }
        }
    }
}

/// What a rule names and a layer does not have.
fn lacking(rule: &CellRule, def: &LayerDef, defs: &Defs) -> Option<LdtkProblem> {
    match &rule.source {
        Source::Name(name) => {
            let values = def.int_grid_values.iter();
            let known = names(values.filter_map(|value| value.identifier.as_ref()));
            let name = name.clone();
            (!known.contains(&name)).then_some(LdtkProblem::NoValue { name, known })
        }
        Source::Tag(tag) => {
            // An instance of the layer may have another tileset.
            let tags = good(&defs.tilesets).flat_map(|tileset| &tileset.enum_tags);
            let known = names(tags.map(|tag| &tag.enum_value_id));
            let is_known = known.contains(tag) || has_bad(&defs.tilesets);
            let name = tag.clone();
            (!is_known).then_some(LdtkProblem::NoTag { name, known })
        }
        Source::Value(_) | Source::Tile(_) => None,
    }
}

/// Names, each once, in order.
fn names<'a>(all: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    all.filter(|name| seen.insert(*name)).cloned().collect()
}

fn good<T>(defs: &[Lenient<T>]) -> impl Iterator<Item = &T> {
    defs.iter().filter_map(Lenient::good)
}

/// Whether the definition with a name is not as LDtk writes it.
fn is_bad<T>(defs: &[Lenient<T>], name: &str) -> bool {
    let mut bad = defs.iter().filter_map(Lenient::bad);
    bad.any(|(known, _)| known == name)
}

/// Whether a definition is not as LDtk writes it.
pub(crate) fn has_bad<T>(defs: &[Lenient<T>]) -> bool {
    defs.iter().any(|def| def.good().is_none())
}
