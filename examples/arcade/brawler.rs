//! Brawler: fists of several boxes hit bodies of several boxes once, and time stops for both.

use super::games::prelude::*;

#[derive(Component, Default)]
#[require(Pushable, Clock)]
pub struct Fighter {
    /// For how many steps time stands still for it.
    stop: u32,
    /// How many punches came one after the other. The third is a kick.
    combo: usize,
    walk: Vec2,
    punches: bool,
    /// Where it looks: to the left if it is negative.
    side: f32,
}

#[derive(Component)]
pub struct Hero;

/// A child of a fighter, with boxes as children. Whether it is a foot.
#[derive(Component)]
struct Fist(bool);

pub fn plugin(app: &mut App) {
    let steps = (hit, decide, fight, go_on).chain();
    app.add_systems(OnEnter(Game::Brawler), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Brawler)));
}

fn spawn(mut commands: Commands) {
    let all = [Layer::Hero, Layer::Foe, Layer::Shot];
    let table = LayerTable::new().collide(Layer::Wall, all);
    let table = table.collide(Layer::Foe, all);
    commands.insert_resource(table.collide(Layer::FoeShot, Layer::Hero));
    commands.spawn_batch(room().map(|wall| (Layer::Wall, wall)));
    let street = [Vec2::NEG_X, Vec2::X].map(|side| side * 600.0);
    commands.spawn((Layer::Ghost, Ribbon::new(street.to_vec(), 440.0, SLATE_800)));
    commands.spawn((Hero, fighter(Layer::Hero, Vec2::ZERO, SKY_400)));
}

/// Feet that walls and others block, and two hurtboxes above them.
fn fighter(layer: Layer, at: Vec2, color: Srgba) -> impl Bundle {
    let fighter = (Fighter::default(), Health(4));
    let chest = block(26.0, 36.0, color, Vec3::new(0.0, 24.0, 0.0001));
    let head = disk(11.0, AMBER_200, Vec3::new(0.0, 52.0, 0.0002));
    let boxes = children![(layer, chest), (layer, head)];
    (layer, fighter, disk(16.0, SLATE_950, at.extend(1.0)), boxes)
}

/// What fists hit, and who was kicked: that is a shot as well.
fn hit(
    mut hits: Hits<Or<(With<Fist>, With<Fighter>)>, With<Fighter>>,
    fists: Query<(&Fist, &ChildOf)>,
    mut fighters: Query<(&mut Fighter, &mut Mover, &mut Clock, &Transform)>,
    mut damage: Damage,
) {
    for hit in hits.between([Layer::Shot, Layer::FoeShot], [Layer::Foe, Layer::Hero]) {
        let fist = fists.get(hit.a);
        let is_kick = fist.is_ok_and(|(fist, _)| fist.0);
        let attacker = fist.map_or(hit.a, |(_, child_of)| child_of.parent());
        if let Ok([mut other, victim]) = fighters.get_many_mut([attacker, hit.b]) {
            let (mut fighter, mut mover, mut clock, at) = victim;
            let side = (at.translation.x - other.3.translation.x).signum();
            mover.velocity = Vec2::X * side * if is_kick { 700.0 } else { 160.0 };
            (fighter.stop, other.0.stop, clock.stun) = (5, 5, 0.35);
        }
        if is_kick {
            damage.commands.entity(hit.b).try_insert(Layer::Shot);
        }
        damage.hurt(hit.b);
    }
}

/// The keys decide for the hero. Foes come to its side, and punch there.
fn decide(
    intent: Res<Intent>,
    hero: Single<(&mut Fighter, &Transform), With<Hero>>,
    mut foes: Query<(&mut Fighter, &Transform), Without<Hero>>,
) {
    let (mut fighter, hero) = hero.into_inner();
    fighter.walk = intent.steer.normalize_or_zero() * 260.0;
    fighter.punches = intent.act;
    if intent.steer.x != 0.0 {
        fighter.side = intent.steer.x;
    }
    for (mut fighter, at) in &mut foes {
        let offset = (hero.translation - at.translation).truncate();
        let gap = offset - Vec2::X * 46.0 * offset.x.signum();
        fighter.side = offset.x;
        fighter.walk = gap.clamp_length_max(1.0) * 120.0;
        fighter.punches = gap.length() < 14.0;
    }
}

fn fight(
    mut fighters: Query<(Entity, &mut Fighter, &mut Mover, &mut Clock, &mut Layer)>,
    mut commands: Commands,
) {
    for (entity, mut fighter, mut mover, mut clock, mut layer) in &mut fighters {
        mover.time_scale = if fighter.stop > 0 { 0.0 } else { 1.0 };
        fighter.stop = fighter.stop.saturating_sub(1);
        if clock.stun > 0.0 {
            continue;
        }
        let is_hero = *layer == Layer::Hero;
        layer.set_if_neq(if is_hero { Layer::Hero } else { Layer::Foe });
        mover.velocity = fighter.walk;
        if fighter.punches && clock.reload <= 0.0 {
            let is_late = clock.reload < -0.4;
            fighter.combo = if is_late { 1 } else { fighter.combo % 3 + 1 };
            let is_kick = is_hero && fighter.combo == 3;
            clock.reload = [1.0, 0.22, 0.5][usize::from(is_hero) + usize::from(is_kick)];
            let layer = if is_hero { Layer::Shot } else { Layer::FoeShot };
            let fist = |x: f32| {
                let at = Vec3::new(x.copysign(fighter.side), 28.0, 0.0003);
                (layer, block(16.0, 12.0, AMBER_200, at))
            };
            let boxes = children![fist(20.0), fist(34.0), fist(46.0)];
            commands.spawn((Fist(is_kick), Lasts(0.16), ChildOf(entity), boxes));
        }
    }
}

/// The next wave is larger. Each wave that is survived earns a life.
fn go_on(
    foes: Query<(), (With<Fighter>, Without<Hero>)>,
    mut dice: ResMut<Dice>,
    mut tally: ResMut<Tally>,
    mut commands: Commands,
) {
    if foes.is_empty() {
        (tally.lives, tally.level) = (tally.lives + tally.level.min(1), tally.level + 1);
        for number in 0..1 + tally.level {
            let x = (480.0 + 90.0 * dice.signed()) * if number % 2 == 0 { 1.0 } else { -1.0 };
            let at = Vec2::new(x, 240.0 * dice.signed());
            commands.spawn(fighter(Layer::Foe, at, ROSE_400));
        }
    }
}
