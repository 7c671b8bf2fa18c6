//! Brawler: fists of several boxes hit bodies of several boxes once, and time stops for both.

use bevy::{color::palettes::tailwind::*, prelude::*};
use bevy_thud::prelude::*;

use super::{
    games::{Dice, Game, Intent, Layer, Tally, playing},
    kit::{self, Fill},
};

const STUN_SECONDS: f32 = 0.35;
/// For how many steps a hit stops both fighters.
const STOP: u32 = 5;
const PUNCH_SECONDS: f32 = 0.1;

#[derive(Component, Default)]
#[require(Pushable)]
pub struct Fighter {
    health: u32,
    stun: f32,
    reload: f32,
    stop: u32,
    /// How many punches came one after the other. The third is a kick.
    combo: u32,
    walk: Vec2,
    /// Where it looks: -1 for left, 1 for right.
    side: f32,
    punches: bool,
}

#[derive(Component)]
pub struct Hero;

/// A child of a fighter, with boxes as children. It lasts for some seconds, and may be a kick.
#[derive(Component)]
struct Fist(f32, bool);

/// Was kicked, and hits other foes.
#[derive(Component)]
struct Thrown;

pub fn plugin(app: &mut App) {
    let steps = (hit, steer, chase, fight, end, go_on).chain();
    app.add_systems(OnEnter(Game::Brawler), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Brawler)));
}

fn spawn(mut dice: ResMut<Dice>, mut commands: Commands) {
    let table = LayerTable::new()
        .collide(Layer::Wall, [Layer::Hero, Layer::Foe, Layer::Shot])
        .collide(Layer::Foe, [Layer::Hero, Layer::Foe, Layer::Shot])
        .collide(Layer::FoeShot, Layer::Hero);
    commands.insert_resource(table);
    commands.spawn_batch(kit::room().map(|wall| (Layer::Wall, wall)));
    let hero = body(Layer::Hero, Vec2::ZERO, SKY_400);
    let fighter = Fighter {
        side: 1.0,
        ..default()
    };
    commands.spawn((Hero, hero, fighter));
    spawn_wave(1, &mut dice, &mut commands);
}

fn spawn_wave(level: u32, dice: &mut Dice, commands: &mut Commands) {
    for number in 0..2 + level {
        let side = if number % 2 == 0 { 1.0 } else { -1.0 };
        let at = Vec2::new(side * (480.0 + 90.0 * dice.signed()), 240.0 * dice.signed());
        let fighter = Fighter {
            health: 3,
            ..default()
        };
        commands.spawn((fighter, body(Layer::Foe, at, ROSE_400)));
    }
}

/// Feet that walls and others block, and two hurtboxes above them.
fn body(layer: Layer, at: Vec2, color: Srgba) -> impl Bundle {
    let chest = (
        RectCollider::new(26.0, 36.0),
        Transform::from_xyz(0.0, 24.0, 0.1),
    );
    let head = (
        CircleCollider::new(11.0),
        Transform::from_xyz(0.0, 52.0, 0.2),
    );
    let boxes = children![(layer, chest, Fill(color)), (layer, head, Fill(AMBER_200))];
    let at = Transform::from_translation(at.extend(1.0));
    (layer, CircleCollider::new(16.0), at, Fill(SLATE_950), boxes)
}

/// Whom a fist or a thrown fighter hits.
fn hit(
    mut hits: Hits<Or<(With<Fist>, With<Thrown>)>, With<Fighter>>,
    fists: Query<(&Fist, &ChildOf)>,
    mut fighters: Query<(&mut Fighter, &mut Mover, &Transform, Has<Hero>)>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        let fist = fists.get(hit.a);
        let attacker = fist.map_or(hit.a, |(_, child_of)| child_of.parent());
        let Ok([attacker, victim]) = fighters.get_many_mut([attacker, hit.b]) else {
            continue;
        };
        let (mut other, _, from, _) = attacker;
        let (mut fighter, mut mover, at, is_hero) = victim;
        if fighter.health == 0 && !is_hero {
            continue;
        }
        let is_kick = fist.is_ok_and(|(fist, _)| fist.1);
        let side = (at.translation.x - from.translation.x).signum();
        mover.velocity = Vec2::X * side * if is_kick { 700.0 } else { 160.0 };
        (fighter.stun, fighter.stop, other.stop) = (STUN_SECONDS, STOP, STOP);
        if is_hero {
            tally.lose_life();
            continue;
        }
        fighter.health -= 1;
        if fighter.health == 0 {
            tally.kill(hit.b, 10);
            commands.entity(hit.b).despawn();
        } else if is_kick {
            commands.entity(hit.b).insert((Thrown, Layer::Shot));
        }
    }
}

fn steer(intent: Res<Intent>, mut hero: Single<&mut Fighter, With<Hero>>) {
    hero.walk = intent.steer.normalize_or_zero() * 260.0;
    hero.punches = intent.act;
    if intent.steer.x != 0.0 {
        hero.side = intent.steer.x.signum();
    }
}

/// Foes come to the hero's side, and punch there.
fn chase(
    hero: Single<&Transform, With<Hero>>,
    mut foes: Query<(&mut Fighter, &Transform), Without<Hero>>,
) {
    for (mut fighter, at) in &mut foes {
        let to_hero = (hero.translation - at.translation).truncate();
        let target = to_hero - Vec2::X * 46.0 * to_hero.x.signum();
        fighter.side = to_hero.x.signum();
        fighter.walk = target.clamp_length_max(1.0) * 120.0;
        fighter.punches = target.length() < 14.0;
    }
}

fn fight(
    time: Res<Time>,
    mut fighters: Query<(Entity, &mut Fighter, &mut Mover, &mut Transform)>,
    kinds: Query<(Has<Thrown>, Has<Hero>)>,
    mut commands: Commands,
) {
    for (entity, mut fighter, mut mover, mut at) in &mut fighters {
        let (is_thrown, is_hero) = kinds.get(entity).unwrap_or_default();
        mover.time_scale = if fighter.stop > 0 { 0.0 } else { 1.0 };
        fighter.stop = fighter.stop.saturating_sub(1);
        let seconds = time.delta_secs() * mover.time_scale;
        fighter.stun -= seconds;
        fighter.reload -= seconds;
        // Who is farther down is drawn before the others.
        at.translation.z = 1.0 - at.translation.y * 0.001;
        if fighter.stun > 0.0 {
            continue;
        }
        mover.velocity = fighter.walk;
        if is_thrown {
            commands
                .entity(entity)
                .remove::<Thrown>()
                .insert(Layer::Foe);
        }
        if fighter.punches && fighter.reload <= 0.0 {
            let is_kick = is_hero && fighter.combo == 2;
            fighter.combo = if fighter.reload < -0.4 {
                1
            } else {
                (fighter.combo + 1) % 3
            };
            fighter.reload = [1.0, 0.22, 0.5][usize::from(is_hero) + usize::from(is_kick)];
            let layer = if is_hero { Layer::Shot } else { Layer::FoeShot };
            let cuff = |x: f32| {
                let at = Transform::from_xyz(x * fighter.side, 26.0, 0.3);
                (layer, RectCollider::new(16.0, 12.0), at, Fill(AMBER_200))
            };
            let boxes = children![cuff(20.0), cuff(34.0), cuff(46.0)];
            let fist = (Fist(PUNCH_SECONDS, is_kick), ChildOf(entity), boxes);
            commands.spawn((fist, Transform::default(), Visibility::default()));
        }
    }
}

fn end(time: Res<Time>, mut fists: Query<(Entity, &mut Fist)>, mut commands: Commands) {
    for (entity, mut fist) in &mut fists {
        fist.0 -= time.delta_secs();
        if fist.0 <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}

/// The next wave is larger, and a life is won.
fn go_on(
    foes: Query<(), (With<Fighter>, Without<Hero>)>,
    mut dice: ResMut<Dice>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    if foes.is_empty() {
        tally.level += 1;
        tally.lives += 1;
        spawn_wave(tally.level, &mut dice, &mut commands);
    }
}
