//! Tower defense: guns ask who is in range, frost slows down time, and shots end at what they hit.

use bevy::{color::palettes::tailwind::*, ecs::entity::EntityHashSet, prelude::*};
use bevy_thud::{geometry::Shape, prelude::*};

use super::{
    games::{Game, Intent, Layer, Tally, playing},
    kit::{self, Fill},
    look::{Ribbon, Trail},
};

pub const ROAD: [[f32; 2]; 10] = [
    [-570.0, 220.0],
    [-140.0, 220.0],
    [-140.0, 20.0],
    [-440.0, 20.0],
    [-440.0, -200.0],
    [60.0, -200.0],
    [60.0, 140.0],
    [320.0, 140.0],
    [320.0, -120.0],
    [540.0, -120.0],
];
pub const PADS: [[f32; 2]; 9] = [
    [-290.0, 120.0],
    [-40.0, 120.0],
    [-290.0, -90.0],
    [-60.0, -90.0],
    [160.0, 50.0],
    [220.0, 240.0],
    [210.0, -90.0],
    [420.0, 40.0],
    [420.0, -230.0],
];
const RANGE: f32 = 170.0;
const SHOT_SPEED: f32 = 620.0;
pub const COST: u32 = 40;

/// The coins, and the creeps of this wave that have not come yet.
#[derive(Resource)]
pub struct Purse {
    pub coins: u32,
    creeps: u32,
    seconds: f32,
}

/// Builds where it stands.
#[derive(Component)]
pub struct Builder;

#[derive(Component, Clone, Copy, PartialEq)]
pub enum Pad {
    Empty,
    /// With the seconds until it shoots again.
    Gun(f32),
    Frost,
}

#[derive(Component)]
pub struct Creep {
    health: u32,
    /// The index of the corner ahead.
    corner: usize,
    walked: f32,
}

pub fn plugin(app: &mut App) {
    let steps = (walk, build, shoot, hit, chill, march, send).chain();
    app.add_systems(OnEnter(Game::TowerDefense), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::TowerDefense)));
}

fn spawn(mut commands: Commands) {
    let table = LayerTable::new()
        .collide(Layer::Wall, [Layer::Hero, Layer::Foe, Layer::Shot])
        .collide(Layer::Foe, [Layer::Shot, Layer::Item, Layer::Zone])
        .collide(Layer::Hero, Layer::Zone);
    commands.insert_resource(table);
    commands.insert_resource(Purse {
        coins: 2 * COST,
        creeps: 8,
        seconds: 3.0,
    });
    commands.spawn_batch(kit::room().map(|wall| (Layer::Wall, wall)));
    let points = ROAD.map(Vec2::from).to_vec();
    commands.spawn((
        Layer::Ghost,
        Ribbon {
            points,
            width: 56.0,
            color: STONE_800,
        },
    ));
    for [x, y] in PADS {
        let pad = (Pad::Empty, CircleCollider::new(26.0), Fill(SLATE_700));
        commands.spawn((Layer::Zone, pad, Transform::from_xyz(x, y, 0.0)));
    }
    let [x, y] = ROAD[9];
    let home = (
        RectCollider::new(50.0, 70.0),
        Fill(SKY_500),
        Transform::from_xyz(x, y, 1.0),
    );
    commands.spawn((Layer::Item, home));
    let builder = (
        CircleCollider::new(13.0),
        Mover::default(),
        CollidingEntities::default(),
    );
    commands.spawn((
        Layer::Hero,
        Builder,
        builder,
        Fill(LIME_300),
        Transform::from_xyz(0.0, 0.0, 3.0),
    ));
}

fn walk(intent: Res<Intent>, mut builder: Single<&mut Mover, With<Builder>>) {
    builder.velocity = intent.steer.normalize_or_zero() * 300.0;
}

/// The pad is what the builder overlaps.
fn build(
    intent: Res<Intent>,
    builder: Single<&CollidingEntities, With<Builder>>,
    mut pads: Query<(&mut Pad, &mut Fill)>,
    mut purse: ResMut<Purse>,
    mut commands: Commands,
) {
    for &entity in builder.iter().filter(|_| intent.act) {
        let Ok((mut pad, mut fill)) = pads.get_mut(entity) else {
            continue;
        };
        if purse.coins < COST || *pad == Pad::Frost {
            continue;
        }
        purse.coins -= COST;
        if *pad == Pad::Empty {
            (*pad, fill.0) = (Pad::Gun(0.0), AMBER_400);
        } else {
            (*pad, fill.0) = (Pad::Frost, CYAN_300);
            let zone = (
                CircleCollider::new(RANGE * 0.7),
                CollidingEntities::default(),
            );
            let look = (
                Fill(CYAN_300.with_alpha(0.12)),
                Transform::from_xyz(0.0, 0.0, 0.5),
            );
            commands
                .entity(entity)
                .with_child((Layer::Zone, zone, look));
        }
    }
}

/// At the creep in range that has come farthest, and where it will be.
fn shoot(
    time: Res<Time>,
    mut pads: Query<(&mut Pad, &Transform)>,
    creeps: Query<(&Transform, &Creep, &Mover)>,
    query: SpatialQuery,
    mut commands: Commands,
) {
    for (mut pad, transform) in &mut pads {
        let Pad::Gun(reload) = &mut *pad else {
            continue;
        };
        *reload -= time.delta_secs();
        let center = transform.translation.truncate();
        let range = Shape::circle(center, RANGE);
        let near = query.shape_intersections(&range, &SpatialQueryFilter::only(Layer::Foe));
        let near = near.filter_map(|entity| creeps.get(entity).ok());
        let first = near.max_by(|(_, a, _), (_, b, _)| a.walked.total_cmp(&b.walked));
        if let Some((at, _, mover)) = first.filter(|_| *reload <= 0.0) {
            *reload = 0.45;
            let offset = at.translation.truncate() - center;
            let lead = mover.velocity * mover.time_scale * offset.length() / SHOT_SPEED;
            let mut mover = Mover::with_velocity((offset + lead).normalize() * SHOT_SPEED);
            mover.response = MoverResponse::Stop;
            let look = (
                Fill(AMBER_200),
                Trail,
                transform.with_translation(center.extend(2.0)),
            );
            commands.spawn((Layer::Shot, CircleCollider::new(4.0), mover, look));
        }
    }
}

fn hit(
    mut hits: Hits,
    mut creeps: Query<&mut Creep>,
    mut tally: ResMut<Tally>,
    mut purse: ResMut<Purse>,
    mut commands: Commands,
) {
    for hit in hits
        .between(Layer::Shot, [Layer::Foe, Layer::Wall])
        .first_per_a()
    {
        commands.entity(hit.a).try_despawn();
        if let Ok(mut creep) = creeps.get_mut(hit.b)
            && creep.health > 0
        {
            creep.health -= 1;
            if creep.health == 0 {
                purse.coins += 6;
                tally.kill(hit.b, 10);
                commands.entity(hit.b).despawn();
            }
        }
    }
    for hit in hits.between(Layer::Foe, Layer::Item) {
        if creeps.get(hit.a).is_ok_and(|creep| creep.health > 0) {
            tally.lose_life();
            commands.entity(hit.a).despawn();
        }
    }
}

fn chill(
    zones: Query<&CollidingEntities, Without<Builder>>,
    mut creeps: Query<(Entity, &mut Mover), With<Creep>>,
) {
    let chilled: EntityHashSet = zones.iter().flat_map(|zone| zone.iter().copied()).collect();
    for (entity, mut mover) in &mut creeps {
        mover.time_scale = if chilled.contains(&entity) { 0.45 } else { 1.0 };
    }
}

fn march(
    mut creeps: Query<(&mut Creep, &mut Mover, &Transform)>,
    tally: Res<Tally>,
    time: Res<Time>,
) {
    for (mut creep, mut mover, transform) in &mut creeps {
        let offset = Vec2::from(ROAD[creep.corner]) - transform.translation.truncate();
        if offset.length() < 6.0 && creep.corner + 1 < ROAD.len() {
            creep.corner += 1;
        }
        mover.velocity = offset.normalize_or_zero() * (80.0 + 6.0 * tally.level as f32);
        creep.walked += time.delta_secs() * mover.time_scale;
    }
}

fn send(
    time: Res<Time>,
    creeps: Query<(), With<Creep>>,
    mut tally: ResMut<Tally>,
    mut purse: ResMut<Purse>,
    mut commands: Commands,
) {
    purse.seconds -= time.delta_secs();
    if purse.creeps > 0 && purse.seconds <= 0.0 {
        (purse.creeps, purse.seconds) = (purse.creeps - 1, 0.9);
        let creep = Creep {
            health: 2 + tally.level,
            corner: 1,
            walked: 0.0,
        };
        let [x, y] = ROAD[0];
        let look = (Fill(ROSE_400), Transform::from_xyz(x, y, 1.0));
        commands.spawn((
            Layer::Foe,
            creep,
            CircleCollider::new(13.0),
            Mover::default(),
            look,
        ));
    } else if purse.creeps == 0 && creeps.is_empty() {
        tally.level += 1;
        (purse.creeps, purse.seconds) = (6 + 2 * tally.level, 4.0);
    }
}
