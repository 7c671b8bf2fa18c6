//! Layers: who collides with whom. WASD or the arrow keys walk, Space shoots, F toggles friendly
//! fire.
//!
//! Two colliders collide if the filters of each contain a layer that the other is in. Walls have
//! no [`CollisionLayers`], so they collide with everything.

#[path = "common/kit.rs"]
mod kit;

use bevy::{app::AppExit, color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;
use kit::Fill;

const BLUE: Team = Team(Layer::Blue, tailwind::SKY_400, Vec2::X);
const RED: Team = Team(Layer::Red, tailwind::RED_400, Vec2::NEG_X);

#[derive(Reflect, Clone, Copy, PartialEq)]
enum Layer {
    Blue,
    Red,
    Bullet,
}

impl CollisionLayer for Layer {}

/// The one that the keys move.
#[derive(Component)]
pub struct Player;

/// The layer and color of soldiers and bullets, and where they shoot.
#[derive(Component, Clone, Copy, PartialEq)]
struct Team(Layer, Srgba, Vec2);

/// Seconds until the next shot of a soldier.
#[derive(Component)]
struct Reload(f32);

#[derive(Component)]
struct Bullet;

/// Whether bullets hit their own team.
#[derive(Resource, Default)]
struct FriendlyFire(bool);

impl FriendlyFire {
    fn bullet_layers(&self, team: Team) -> CollisionLayers {
        let foes = if team == BLUE { RED.0 } else { BLUE.0 };
        if self.0 {
            CollisionLayers::new(Layer::Bullet, [foes, team.0])
        } else {
            CollisionLayers::new(Layer::Bullet, foes)
        }
    }
}

pub(crate) fn main() -> AppExit {
    let mut app = App::new();
    app.add_plugins((kit::show("Layers"), game)).run()
}

/// The game without its window.
pub fn game(app: &mut App) {
    app.add_plugins(CollisionPlugin::default())
        .init_resource::<FriendlyFire>()
        .add_systems(Startup, spawn)
        .add_systems(Update, (hit, toggle, walk, shoot).chain());
}

fn spawn(mut commands: Commands) {
    commands.spawn_batch(kit::room());
    for (team, x) in [(BLUE, -200.0), (RED, 250.0), (RED, 400.0)] {
        for y in [-225.0, -75.0, 75.0, 225.0] {
            let mut mover = Mover::with_velocity(Vec2::Y * (x + y) * 0.2);
            mover.response = MoverResponse::Bounce;
            commands.spawn((soldier(team, x, y), mover, Fill(team.1)));
        }
    }
    let look = (Mover::default(), Fill(tailwind::LIME_400));
    commands.spawn((Player, soldier(BLUE, -400.0, 0.0), look));
    commands.spawn(Text::default());
}

/// Soldiers walk through each other: their filters contain bullets alone.
fn soldier(team: Team, x: f32, y: f32) -> impl Bundle {
    let collider = (CircleCollider::new(18.0), Transform::from_xyz(x, y, 0.0));
    let layers = CollisionLayers::new(team.0, Layer::Bullet);
    (team, Reload(x.abs() / 400.0), collider, layers)
}

/// A bullet ends at the first thing that it hits, and pushes it if that is a soldier.
fn hit(
    mut hits: Hits<With<Bullet>, Without<Bullet>>,
    mut soldiers: Query<&mut Mover, With<Reload>>,
    mut commands: Commands,
) {
    for hit in hits.first_per_a() {
        commands.entity(hit.a).try_despawn();
        if let Ok(mut mover) = soldiers.get_mut(hit.b) {
            mover.displacement = hit.contact.normal * 16.0;
        }
    }
}

/// Layers may change at any time: those of bullets in flight do.
fn toggle(
    keys: Res<ButtonInput<KeyCode>>,
    mut friendly_fire: ResMut<FriendlyFire>,
    mut bullets: Query<(&Team, &mut CollisionLayers), With<Bullet>>,
    mut text: Single<&mut Text>,
) {
    friendly_fire.0 ^= keys.just_pressed(KeyCode::KeyF);
    for (team, mut layers) in &mut bullets {
        layers.set_if_neq(friendly_fire.bullet_layers(*team));
    }
    let state = ["off", "on"][usize::from(friendly_fire.0)];
    text.0 = format!("WASD: walk. Space: shoot. F: friendly fire ({state})");
}

fn walk(keys: Res<ButtonInput<KeyCode>>, mut player: Single<&mut Mover, With<Player>>) {
    player.velocity = kit::axes(&keys).normalize_or_zero() * 300.0;
}

/// A bullet starts in front of its soldier, whom friendly fire would hit otherwise.
fn shoot(
    mut soldiers: Query<(&Team, &mut Reload, &Transform, Has<Player>)>,
    keys: Res<ButtonInput<KeyCode>>,
    friendly_fire: Res<FriendlyFire>,
    time: Res<Time>,
    mut commands: Commands,
) {
    for (team, mut reload, transform, is_player) in &mut soldiers {
        reload.0 -= time.delta_secs();
        if reload.0 <= 0.0 && (!is_player || keys.pressed(KeyCode::Space)) {
            reload.0 = if is_player { 0.2 } else { 1.6 };
            let muzzle = transform.translation + (team.2 * 24.0).extend(0.0);
            let look = (Transform::from_translation(muzzle), Fill(team.1));
            let mover = Mover::with_velocity(team.2 * 600.0);
            let collider = (CircleCollider::new(5.0), friendly_fire.bullet_layers(*team));
            commands.spawn((Bullet, *team, collider, mover, look));
        }
    }
}
