//! Tower defense: guns query who is in range, frost slows time, and shots end at what they hit.

use super::games::prelude::*;
use super::maps::{PADS, ROAD};

const RANGE: f32 = 170.0;
const SHOT_SPEED: f32 = 620.0;
pub const COST: u32 = 40;

/// Builds where it stands.
#[derive(Component)]
#[require(Mover, CollidingEntities)]
pub struct Builder;

/// 0 without a tower, 1 with a gun, 2 with frost.
#[derive(Component)]
#[require(Clock)]
pub struct Pad(pub usize);

#[derive(Component, Default)]
#[require(Mover)]
pub struct Creep {
    /// The index of the corner ahead, and how far it has come.
    corner: usize,
    walked: f32,
}

/// Where creeps come from, and how many came.
#[derive(Component)]
#[require(Clock)]
struct Nest(u32);

pub fn plugin(app: &mut App) {
    let steps = (build, shoot, hit, march, send).chain();
    app.add_systems(OnEnter(Game::TowerDefense), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::TowerDefense)));
}

fn spawn(mut tally: ResMut<Tally>, mut commands: Commands) {
    let table = LayerTable::new().collide(Layer::Wall, [Layer::Hero, Layer::Shot]);
    let table = table.collide(Layer::Foe, [Layer::Shot, Layer::Item, Layer::Zone]);
    commands.insert_resource(table.collide(Layer::Hero, Layer::Zone));
    tally.coins = 2 * COST;
    commands.spawn_batch(room().map(|wall| (Layer::Wall, wall)));
    commands.spawn((Layer::Ghost, Ribbon::new(ROAD.to_vec(), 56.0, STONE_800)));
    for pad in PADS.map(|pad| pad.extend(0.0)) {
        commands.spawn((Layer::Zone, Pad(0), disk(26.0, SLATE_700, pad)));
    }
    let [first, .., last] = ROAD.map(|corner| corner.extend(0.5));
    commands.spawn((Layer::Ghost, Nest(0), block(40.0, 70.0, ROSE_900, first)));
    commands.spawn((Layer::Item, block(50.0, 70.0, SKY_500, last)));
    commands.spawn((Layer::Hero, Builder, disk(13.0, LIME_300, Vec3::Z * 2.0)));
}

/// On the pad that the builder overlaps: a gun, and then frost.
fn build(
    intent: Res<Intent>,
    mut builder: Single<(&mut Mover, &CollidingEntities), With<Builder>>,
    mut pads: Query<(Entity, &mut Pad, &mut Fill)>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    builder.0.velocity = intent.steer.normalize_or_zero() * 300.0;
    let builds = intent.act && tally.coins >= COST;
    let pad = (builder.1.iter()).find(|pad| builds && pads.contains(**pad));
    if let Some(Ok((entity, mut pad, mut fill))) = pad.map(|&pad| pads.get_mut(pad)) {
        (pad.0, tally.coins) = (pad.0 + 1, tally.coins - COST);
        fill.0 = [AMBER_400, CYAN_300][pad.0 - 1];
        if pad.0 == 2 {
            let zone = disk(0.7 * RANGE, CYAN_300.with_alpha(0.12), Vec3::Z * 0.3);
            let zone = (Layer::Zone, CollidingEntities::default(), zone);
            commands.entity(entity).remove::<Pad>().with_child(zone);
        }
    }
}

/// At the creep in range that has come farthest: at where it will be.
fn shoot(
    mut pads: Query<(&Pad, &mut Clock, &Transform)>,
    creeps: Query<(&Transform, &Creep, &Mover)>,
    query: SpatialQuery,
    mut commands: Commands,
) {
    for (_, mut clock, at) in pads.iter_mut().filter(|(pad, ..)| pad.0 == 1) {
        let range = Shape::circle(at.translation.truncate(), RANGE);
        let near = query.shape_intersections(&range, &SpatialQueryFilter::only(Layer::Foe));
        let near = near.filter_map(|entity| creeps.get(entity).ok());
        let first = near.max_by(|(_, a, _), (_, b, _)| a.walked.total_cmp(&b.walked));
        if let Some((creep, _, mover)) = first.filter(|_| clock.reload <= 0.0) {
            clock.reload = 0.45;
            let offset = (creep.translation - at.translation).truncate();
            let lead = mover.velocity * mover.time_scale * offset.length() / SHOT_SPEED;
            let shot = Mover::with_velocity((offset + lead).normalize() * SHOT_SPEED);
            let look = disk(4.0, AMBER_200, at.translation + Vec3::Z);
            commands.spawn((Layer::Shot, shot, Trail, look));
        }
    }
}

fn hit(mut hits: Hits, mut damage: Damage) {
    let shots = hits.between(Layer::Shot, [Layer::Foe, Layer::Wall]);
    for hit in shots.first_per_a() {
        damage.commands.entity(hit.a).try_despawn();
        damage.hurt(hit.b);
    }
    for hit in hits.between(Layer::Foe, Layer::Item) {
        damage.tally.lose_life();
        damage.commands.entity(hit.a).try_despawn();
    }
}

/// Along the road. Time passes more slowly in frost.
fn march(
    frost: Query<&CollidingEntities, Without<Builder>>,
    mut creeps: Query<(Entity, &mut Creep, &mut Mover, &Transform)>,
) {
    for (entity, mut creep, mut mover, at) in &mut creeps {
        let is_cold = frost.iter().any(|zone| zone.contains(&entity));
        mover.time_scale = if is_cold { 0.45 } else { 1.0 };
        let offset = ROAD[creep.corner] - at.translation.truncate();
        mover.velocity = offset.normalize_or_zero() * 85.0;
        let is_there = offset.length() < 6.0;
        creep.corner = (creep.corner + usize::from(is_there)).min(ROAD.len() - 1);
        creep.walked = creep.corner as f32 - offset.length() / 1000.0;
    }
}

/// Every tenth creep is followed by a pause, and by tougher ones.
fn send(
    mut nest: Single<(&mut Nest, &mut Clock, &Transform)>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    let (nest, clock, at) = &mut *nest;
    if clock.reload <= 0.0 {
        tally.level = 1 + nest.0 / 10;
        nest.0 += 1;
        clock.reload = if nest.0.is_multiple_of(10) { 5.0 } else { 0.9 };
        let creep = (Health(2 + tally.level), Creep::default());
        commands.spawn((Layer::Foe, creep, disk(13.0, ROSE_400, at.translation)));
    }
}
