//! Dungeon: crates to push, a sword of three blades, and a guard of three hurtboxes.

use super::games::prelude::*;
use super::maps::{CELL, DUNGEON, cells};

const SWING_SECONDS: f32 = 0.2;
/// A swing goes from this angle to the opposite one, relative to where the hero looks.
const SWING_ANGLE: f32 = 1.3;
const SIGHT: f32 = 280.0;

/// Where it looks.
#[derive(Component)]
#[require(Mover, Clock)]
pub struct Hero(Vec2);

#[derive(Component)]
#[require(Mover, Solid, Clock)]
pub struct Foe;

/// A child of the hero. The blades are children of it.
#[derive(Component)]
struct Sword;

/// Opens the lock of the same number.
#[derive(Component)]
pub struct Key(pub u8);

#[derive(Component)]
pub struct Lock(pub u8);

pub fn plugin(app: &mut App) {
    let steps = (strike, open, walk, swing, chase).chain();
    app.add_systems(OnEnter(Game::Dungeon), spawn)
        .add_systems(FixedUpdate, steps.run_if(playing(Game::Dungeon)));
}

fn spawn(mut tally: ResMut<Tally>, mut commands: Commands) {
    let table = LayerTable::new()
        .collide(Layer::Wall, [Layer::Hero, Layer::Foe, Layer::Crate])
        .collide(Layer::Hero, [Layer::Foe, Layer::Crate, Layer::Item])
        .collide(Layer::Foe, [Layer::Foe, Layer::Crate, Layer::Shot]);
    commands.insert_resource(table.collide(Layer::Crate, [Layer::Crate, Layer::Zone]));
    tally.level += 1;
    let map = TileCollider::from_rows_with(DUNGEON, Vec2::splat(CELL), |cell| cell == '#');
    for (cell, at) in cells(&DUNGEON, &map) {
        let square = |color| block(34.0, 34.0, color, at);
        let arm = |x| (Layer::Foe, disk(13.0, ROSE_600, Vec3::new(x, 0.0, 0.1)));
        let arms = children![arm(-38.0), arm(38.0)];
        let foe = |health| (Layer::Foe, Foe, Health(health + tally.level));
        let door = |number| (Layer::Wall, Solid, Lock(number));
        match cell {
            '@' => commands.spawn((Layer::Hero, Hero(Vec2::X), disk(13.0, LIME_300, at))),
            's' => commands.spawn((foe(1), disk(13.0, ROSE_400, at))),
            'B' => commands.spawn((foe(5), disk(24.0, ROSE_400, at), Turning(2.5), arms)),
            'c' => commands.spawn((Layer::Crate, Pushable, square(AMBER_600))),
            'p' => commands.spawn((Layer::Zone, Key(1), square(AMBER_900))),
            'G' => commands.spawn((door(1), block(CELL, CELL, AMBER_900, at))),
            'k' => commands.spawn((Layer::Item, Key(2), disk(9.0, YELLOW_300, at))),
            'D' => commands.spawn((door(2), block(CELL, CELL, YELLOW_600, at))),
            _ => continue,
        };
    }
    commands.spawn((Layer::Wall, Solid, map, Fill(SLATE_700)));
}

/// Once per swing, however many blades hit how many hurtboxes of a foe. Foes hurt the hero.
fn strike(
    mut swords: Hits<With<Sword>, With<Foe>>,
    mut bites: Hits,
    mut bodies: Query<(&mut Mover, &mut Clock)>,
    mut damage: Damage,
) {
    // By layers: what the sword hits would be a bite of its hero otherwise.
    let bites = bites.between(Layer::Foe, Layer::Hero);
    for hit in swords.read().chain(bites) {
        damage.hurt(hit.b);
        if let Ok((mut mover, mut clock)) = bodies.get_mut(hit.b) {
            mover.velocity = hit.contact.normal * 380.0;
            clock.stun = 0.2;
        }
    }
}

/// A crate on the plate opens the gate, and the key the door.
fn open(
    mut hits: Hits<With<Key>>,
    keys: Query<&Key>,
    locks: Query<(Entity, &Lock)>,
    mut commands: Commands,
) {
    for hit in hits.read() {
        let number = keys.get(hit.a).map_or(0, |key| key.0);
        commands.entity(hit.a).try_despawn();
        for (lock, _) in locks.iter().filter(|(_, lock)| lock.0 == number) {
            commands.entity(lock).try_despawn();
        }
    }
}

fn walk(
    intent: Res<Intent>,
    mut hero: Single<(Entity, &mut Hero, &mut Mover, &mut Clock)>,
    mut commands: Commands,
) {
    let (entity, hero, mover, clock) = &mut *hero;
    let direction = intent.steer.normalize_or_zero();
    hero.0 = direction.normalize_or(hero.0);
    if clock.stun <= 0.0 {
        mover.velocity = direction * 230.0;
    }
    if intent.act && clock.reload <= 0.0 {
        clock.reload = 0.3;
        let look = |x| block(14.0, 7.0, SLATE_200, Vec3::new(x, 0.0, 0.5));
        let blade = |x| (Layer::Shot, Swept, look(x));
        let blades = children![blade(24.0), blade(38.0), blade(52.0)];
        commands.spawn((Sword, Lasts(SWING_SECONDS), ChildOf(*entity), blades));
    }
}

fn swing(hero: Single<&Hero>, mut swords: Query<(&Lasts, &mut Transform), With<Sword>>) {
    for (lasts, mut at) in &mut swords {
        let angle = SWING_ANGLE * (2.0 * lasts.0 / SWING_SECONDS - 1.0);
        at.rotation = Quat::from_rotation_z(hero.0.to_angle() + angle);
    }
}

/// Foes chase the hero if no wall hides it. Without foes, there is the next dungeon.
fn chase(
    mut foes: Query<(&mut Mover, &Clock, &Transform), With<Foe>>,
    hero: Single<&Transform, With<Hero>>,
    query: SpatialQuery,
    mut tally: ResMut<Tally>,
) {
    tally.advances |= foes.is_empty();
    let walls = SpatialQueryFilter::only(Layer::Wall);
    for (mut mover, _, at) in foes.iter_mut().filter(|(_, clock, _)| clock.stun <= 0.0) {
        let offset = (hero.translation - at.translation).truncate();
        let (direction, distance) = (Dir2::new(offset).unwrap_or(Dir2::X), offset.length());
        let ray = Ray2d::new(at.translation.truncate(), direction);
        let sees = distance < SIGHT && query.cast_ray(ray, distance, &walls).is_none();
        mover.velocity = direction * if sees { 80.0 } else { 0.0 };
    }
}
