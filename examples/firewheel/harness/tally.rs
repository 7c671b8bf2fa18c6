//! Counts what happened since the program began, for the summary.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::game::{
    arena::Wall,
    fire_wheel::FireWheel,
    health::{Death, Health},
    monsters::Monster,
    player::Player,
    saw::Saw,
    waves::Waves,
};

/// The same seed gives the same numbers.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub distance_walked: f32,
    pub wall_hits: u32,
    pub shots: u32,
    pub hits: u32,
    pub kills: u32,
    pub deaths: u32,
    /// Players and monsters that were hit by saws.
    pub cuts: u32,
    /// Players and monsters that were crushed by presses.
    pub crushed: u32,
    pub waves: u32,
    pub collision_starts: u64,
    pub collision_ends: u64,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Tally>()
        .register_required_components::<Player, FormerPosition>();
    app.add_systems(
        PostUpdate,
        (
            record_positions.before(CollisionSystems::Move),
            (
                measure_walks,
                count_wall_hits,
                count_shots_and_waves,
                count_hits_and_cuts,
                count_collisions,
            )
                .chain()
                .after(CollisionSystems::Report),
        ),
    )
    .add_observer(count_death)
    .add_observer(count_crushed);
}

/// The position of a player before the last update.
#[derive(Component, Default)]
struct FormerPosition(Vec2);

fn record_positions(mut players: Query<(&Transform, &mut FormerPosition)>) {
    for (at, mut position) in &mut players {
        position.0 = at.translation.truncate();
    }
}

fn measure_walks(players: Query<(&Transform, &FormerPosition)>, mut tally: ResMut<Tally>) {
    for (at, before) in &players {
        tally.distance_walked += at.translation.truncate().distance(before.0);
    }
}

fn count_wall_hits(
    mut hits: MessageReader<MoverHit>,
    walls: Query<(), With<Wall>>,
    mut tally: ResMut<Tally>,
) {
    let at_walls = hits.read().filter(|hit| walls.contains(hit.blocker));
    tally.wall_hits += at_walls.count() as u32;
}

fn count_shots_and_waves(
    shots: Query<(), Added<FireWheel>>,
    waves: Res<Waves>,
    mut wave_number: Local<usize>,
    mut tally: ResMut<Tally>,
) {
    tally.shots += shots.iter().count() as u32;
    tally.waves += u32::from(waves.number > *wave_number);
    *wave_number = waves.number;
}

fn count_hits_and_cuts(
    mut hits: Hits<With<FireWheel>, With<Monster>>,
    mut cuts: Hits<With<Saw>, With<Health>>,
    mut tally: ResMut<Tally>,
) {
    tally.hits += hits.read().count() as u32;
    tally.cuts += cuts.read().count() as u32;
}

pub fn count_collisions(mut events: MessageReader<CollisionEvent>, mut tally: ResMut<Tally>) {
    for event in events.read() {
        match event {
            CollisionEvent::Started { .. } => tally.collision_starts += 1,
            CollisionEvent::Ended { .. } => tally.collision_ends += 1,
        }
    }
}

fn count_death(
    death: On<Death>,
    players: Query<(), With<Player>>,
    monsters: Query<(), With<Monster>>,
    mut tally: ResMut<Tally>,
) {
    tally.deaths += u32::from(players.contains(death.entity));
    tally.kills += u32::from(monsters.contains(death.entity));
}

fn count_crushed(
    crushed: On<Crushed>,
    bodies: Query<(), Or<(With<Player>, With<Monster>)>>,
    mut tally: ResMut<Tally>,
) {
    tally.crushed += u32::from(bodies.contains(crushed.entity));
}
