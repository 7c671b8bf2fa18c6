//! Portals show for a moment where a monster will appear.

use bevy::prelude::*;

use super::{super::stage::UNTIL_NEXT_GAME, Fury, Monster, spawn};

const SECONDS: f32 = 0.9;

#[derive(Component)]
#[require(Transform)]
pub struct Portal {
    pub kind: Monster,
    fury: Fury,
    opens: Timer,
}

impl Portal {
    pub fn to(kind: Monster, position: Vec2, fury: Fury) -> impl Bundle {
        (
            Self {
                kind,
                fury,
                opens: Timer::from_seconds(SECONDS, TimerMode::Once),
            },
            Transform::from_translation(position.extend(0.5)),
            UNTIL_NEXT_GAME,
        )
    }

    /// How far it is open, from 0 to 1.
    pub fn fraction(&self) -> f32 {
        self.opens.fraction()
    }
}

pub fn emerge(
    mut portals: Query<(Entity, &Transform, &mut Portal)>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (entity, at, mut portal) in &mut portals {
        if portal.opens.tick(time.delta()).is_finished() {
            commands.entity(entity).despawn();
            let position = at.translation.truncate();
            spawn(&mut commands, portal.kind, position, portal.fury);
        }
    }
}
