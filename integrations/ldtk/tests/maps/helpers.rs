//! What tests of maps read from an app, and a folder of assets for it.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_thud::prelude::*;

/// Whether there is a collider at a point of the world.
pub fn is_solid_at(app: &mut App, point: Vec2) -> bool {
    let at = move |query: SpatialQuery| {
        let filter = SpatialQueryFilter::default().only_solid();
        !query.point_intersections(point, &filter).is_empty()
    };
    app.world_mut().run_system_once(at).unwrap()
}

#[cfg(feature = "asset")]
mod assets {
    use std::{
        env, fs,
        path::{Path, PathBuf},
        process, thread,
        time::Duration,
    };

    use bevy::prelude::*;
    use serde_json::Value;

    /// A folder of assets, removed at the end.
    pub struct Folder(PathBuf);

    impl Folder {
        pub fn new(test: &str) -> Self {
            let name = format!("bevy_thud_ldtk_{test}_{}", process::id());
            Self(env::temp_dir().join(name))
        }

        pub fn write(&self, file: &str, value: &Value) {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
            fs::write(path, value.to_string()).unwrap();
        }

        pub fn asset_plugin(&self) -> AssetPlugin {
            AssetPlugin {
                file_path: self.0.to_string_lossy().into(),
                ..default()
            }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Updates until something holds, for ten seconds at most.
    pub fn until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
        for _ in 0..1000 {
            app.update();
            if holds(app) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("not within ten seconds: {what}");
    }
}

#[cfg(feature = "asset")]
pub use assets::*;
