//! Health, damage and death.

use bevy::prelude::*;

#[derive(Component, Clone, Copy, Debug)]
pub struct Health {
    pub now: f32,
    pub full: f32,
}

impl Health {
    pub fn new(full: f32) -> Self {
        Self { now: full, full }
    }

    pub fn fraction(&self) -> f32 {
        self.now / self.full
    }

    pub fn heal(&mut self, amount: f32) {
        self.now = (self.now + amount).min(self.full);
    }
}

/// The entity loses health.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct Damage {
    pub entity: Entity,
    pub amount: f32,
}

/// The entity has no health left. It is despawned after all observers have run.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub struct Death {
    pub entity: Entity,
}

pub fn plugin(app: &mut App) {
    app.add_observer(suffer).add_observer(bury);
}

fn suffer(damage: On<Damage>, mut healths: Query<&mut Health>, mut commands: Commands) {
    let Ok(mut health) = healths.get_mut(damage.entity) else {
        return;
    };
    // An entity dies only once, even if two things kill it at the same time.
    if health.now <= 0.0 {
        return;
    }
    health.now = (health.now - damage.amount).max(0.0);
    if health.now == 0.0 {
        let entity = damage.entity;
        commands.trigger(Death { entity });
    }
}

fn bury(death: On<Death>, mut commands: Commands) {
    commands.entity(death.entity).despawn();
}
