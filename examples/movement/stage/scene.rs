//! The current scene.

use bevy::prelude::*;

#[derive(States, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scene {
    Seams,
    Wedges,
    OneWay,
    Bouncing,
    Crowd,
    Crusher,
    Sweeping,
}

impl Scene {
    pub const ALL: [Self; 7] = [
        Self::Seams,
        Self::Wedges,
        Self::OneWay,
        Self::Bouncing,
        Self::Crowd,
        Self::Crusher,
        Self::Sweeping,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Seams => "seams",
            Self::Wedges => "wedges",
            Self::OneWay => "one way",
            Self::Bouncing => "bouncing",
            Self::Crowd => "crowd",
            Self::Crusher => "crusher",
            Self::Sweeping => "swept, preview",
        }
    }

    /// What to see and what to press.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Seams => {
                "Tiles above, one long wall below: all slide the same way.  Arrows steer, Space dashes"
            }
            Self::Wedges => {
                "Pushed into corners, they come to rest and keep still.  Arrows push, Space dashes"
            }
            Self::OneWay => {
                "Platforms to jump through from below.  Left and right walk, Up jumps, Space dashes"
            }
            Self::Bouncing => {
                "Fast wheels between thin walls: none gets out, none gets slower.  R begins again"
            }
            Self::Crowd => {
                "300 press through a door that is three wide.  Arrows walk the big one, Space dashes"
            }
            Self::Crusher => {
                "Red is crushed, the others are pushed aside.  Arrows walk the green one, Space dashes"
            }
            Self::Sweeping => {
                "Fast blades miss no target.  Arrows walk, Space dashes to the mouse, as previewed"
            }
        }
    }
}

/// The seconds since the scene began.
#[derive(Resource, Default)]
pub struct SceneTime(pub f32);

pub fn plugin(app: &mut App) {
    app.init_resource::<SceneTime>()
        .add_systems(PreUpdate, choose.after(bevy::input::InputSystems))
        .add_systems(First, tick.after(bevy::time::TimeSystems));
    for scene in Scene::ALL {
        app.add_systems(OnEnter(scene), |mut time: ResMut<SceneTime>| time.0 = 0.0);
    }
}

/// Setting the current state again restarts the scene.
fn choose(
    keys: Res<ButtonInput<KeyCode>>,
    scene: Res<State<Scene>>,
    mut next: ResMut<NextState<Scene>>,
) {
    const DIGITS: [KeyCode; 7] = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
        KeyCode::Digit7,
    ];
    if keys.just_pressed(KeyCode::KeyR) {
        next.set(*scene.get());
    }
    let chosen = DIGITS.iter().zip(Scene::ALL);
    for (_, scene) in chosen.filter(|(digit, _)| keys.just_pressed(**digit)) {
        next.set(scene);
    }
}

fn tick(time: Res<Time>, mut scene_time: ResMut<SceneTime>) {
    scene_time.0 += time.delta_secs();
}
