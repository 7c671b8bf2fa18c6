//! What is shown, and the keys that toggle it.

use bevy::prelude::*;
use bevy_thud::CollisionGizmos;

use super::super::page::palette;
use super::Working;

/// Something that can be shown or hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    Construction,
    Boxes,
    Help,
}

impl Switch {
    const ALL: [(Self, KeyCode); 3] = [
        (Self::Construction, KeyCode::KeyC),
        (Self::Boxes, KeyCode::KeyB),
        (Self::Help, KeyCode::KeyH),
    ];
}

/// Those that are on.
#[derive(Resource)]
pub struct Switches(Vec<Switch>);

impl Switches {
    pub fn is_on(&self, switch: Switch) -> bool {
        self.0.contains(&switch)
    }

    fn turn(&mut self, switch: Switch) {
        if self.is_on(switch) {
            self.0.retain(|on| *on != switch);
        } else {
            self.0.push(switch);
        }
    }
}

pub fn plugin(app: &mut App) {
    app.insert_resource(Switches(vec![Switch::Help]))
        .add_systems(Update, turn_switches.in_set(Working::Keys))
        .add_systems(
            Update,
            choose_gizmos
                .after(Working::Keys)
                .run_if(resource_changed::<Switches>),
        );
}

fn turn_switches(keys: Res<ButtonInput<KeyCode>>, mut switches: ResMut<Switches>) {
    for (switch, key) in Switch::ALL {
        if keys.just_pressed(key) {
            switches.turn(switch);
        }
    }
}

/// Shows what `CollisionDebugPlugin` draws, apart from outlines, which are drawn here, and
/// contacts, which are explained in more detail.
fn choose_gizmos(switches: Res<Switches>, mut gizmos: ResMut<GizmoConfigStore>) {
    let (config, drawn) = gizmos.config_mut::<CollisionGizmos>();
    config.line.width = 1.0;
    *drawn = CollisionGizmos {
        solid: None,
        mover: None,
        trigger: None,
        colliding: None,
        contact: None,
        aabb: switches.is_on(Switch::Boxes).then_some(palette::BOXES),
        ..default()
    };
}
