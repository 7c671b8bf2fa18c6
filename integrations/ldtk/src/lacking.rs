//! What rules name and a map does not have.

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
        for rule in &rules.cells {
            let layer = rule.layer.as_str();
            let error = |problem| LdtkError::new(&self.file, problem).in_layer(layer);
            let mut defs = self.defs.layers.iter().filter_map(Lenient::good);
            match defs.find(|def| def.identifier == layer) {
                Some(def) => errors.extend(lacking(rule, def, &self.defs).map(error)),
                None if is_bad(&self.defs.layers, layer) => {}
                None if unknown.insert(layer) => errors.push(error(LdtkProblem::NoLayer)),
                None => {}
            }
        }
        let chosen = rules.entities.iter().map(|(chosen, _)| chosen);
        errors.extend(chosen.filter_map(|chosen| self.lacking_entity(chosen)));
        errors
    }

    fn lacking_entity(&self, chosen: &Chosen) -> Option<LdtkError> {
        let defs = &self.defs.entities;
        let mut known = defs.iter().filter_map(Lenient::good);
        let error = |problem| LdtkError::new(&self.file, problem);
        match chosen {
            Chosen::Identifier(name) => {
                let is_known = known.any(|def| def.identifier == *name) || is_bad(defs, name);
                (!is_known).then(|| error(LdtkProblem::NoEntity).of_entity(name.clone()))
            }
            Chosen::Tag(tag) => {
                let is_known = known.any(|def| def.tags.contains(tag)) || has_bad(defs);
                (!is_known).then(|| error(LdtkProblem::NoEntityTag(tag.clone())))
            }
        }
    }
}

/// What a rule names and a layer does not have.
fn lacking(rule: &CellRule, def: &LayerDef, defs: &Defs) -> Option<LdtkProblem> {
    match &rule.source {
        Source::Name(name) => {
            let mut values = def.int_grid_values.iter();
            let is_known = values.any(|value| value.identifier.as_ref() == Some(name));
            (!is_known).then(|| LdtkProblem::NoValue(name.clone()))
        }
        Source::Tag(tag) => {
            // An instance of the layer may have another tileset.
            let tilesets = defs.tilesets.iter().filter_map(Lenient::good);
            let mut tags = tilesets.flat_map(|tileset| &tileset.enum_tags);
            let is_known = tags.any(|known| known.enum_value_id == *tag) || has_bad(&defs.tilesets);
            (!is_known).then(|| LdtkProblem::NoTag(tag.clone()))
        }
        Source::Value(_) | Source::Tile(_) => None,
    }
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
