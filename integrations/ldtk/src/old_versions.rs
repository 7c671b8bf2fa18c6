//! Files of LDtk before 1.0: whether they have what is read of later ones.

use serde::Deserialize;
use serde_json::Error;

use crate::json::{self, Layer, Lenient, Level, Project};

/// Whether a version is before 1.0.
pub(crate) fn is_old(version: &str) -> bool {
    version.split('.').next() == Some("0")
}

/// The version of a project that is old and lacks anything that is read.
pub(crate) fn unreadable(project: &Result<Project, Error>, text: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        json_version: String,
    }
    let version = match project {
        Ok(project) if is_complete(project) => return None,
        Ok(project) => project.json_version.clone(),
        Err(_) => serde_json::from_slice::<Version>(text).ok()?.json_version,
    };
    is_old(&version).then_some(version)
}

fn is_complete(project: &Project) -> bool {
    let is_level_good = |level: &Lenient<Level>| level.good().is_some_and(is_level_complete);
    let has_layout = project.world_layout.is_some() || !project.worlds.is_empty();
    has_layout && project.defs.bad().is_empty() && project.levels.iter().all(is_level_good)
}

/// Whether a level has all that is read.
pub(crate) fn is_level_complete(level: &Level) -> bool {
    let is_layer_good = |layer: &Lenient<Layer>| layer.good().is_some_and(is_layer_complete);
    level.layer_instances.iter().flatten().all(is_layer_good)
}

/// Versions before 0.8 wrote the cells of an IntGrid layer in another form.
fn is_layer_complete(layer: &Layer) -> bool {
    let has_cells = layer.kind != "IntGrid" || !layer.int_grid_csv.is_empty();
    let is_entity_good = |entity: &Lenient<json::Entity>| entity.good().is_some();
    has_cells && layer.entity_instances.iter().all(is_entity_good)
}

impl Level {
    /// Names what has no iid: LDtk before 1.0 wrote none.
    pub fn complete_iids(&mut self) {
        let complete = |iid: &mut String, name: &dyn Fn() -> String| {
            if iid.is_empty() {
                *iid = name();
            }
        };
        complete(&mut self.iid, &|| self.identifier.clone());
        let level = &self.iid;
        for layer in self.layer_instances.iter_mut().flatten() {
            let Lenient::Good(layer) = layer else {
                continue;
            };
            let name = &layer.identifier;
            complete(&mut layer.iid, &|| format!("{level}/{name}"));
            for (index, entity) in layer.entity_instances.iter_mut().enumerate() {
                if let Lenient::Good(entity) = entity {
                    complete(&mut entity.iid, &|| format!("{level}/{name}/{index}"));
                }
            }
        }
    }
}
