//! The command line.

#[path = "../common/seconds.rs"]
mod seconds;

use argh::FromArgs;

use super::stage::Scene;
use seconds::seconds;

/// Movement: seven scenes in which nothing tunnels and nothing snags.
#[derive(FromArgs)]
pub struct Options {
    /// the scene to begin with, 1 to 7 (1)
    #[argh(option, default = "Scene::Seams", from_str_fn(scene))]
    pub scene: Scene,

    /// close after this many seconds
    #[argh(option, from_str_fn(seconds))]
    pub seconds: Option<f32>,
}

fn scene(number: &str) -> Result<Scene, String> {
    let position = number.parse().ok().and_then(|n: usize| n.checked_sub(1));
    let scene = position.and_then(|position| Scene::ALL.get(position));
    scene.copied().ok_or("there are the scenes 1 to 7".into())
}
