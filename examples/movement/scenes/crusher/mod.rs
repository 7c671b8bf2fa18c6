//! Walls that close on movers, and a bar that rotates among them.

mod walls;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::stage::{
    Paint, Painting, Player, Readout, Ring, Scene, SceneTime, body, palette, pose,
};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::Crusher);
const MIDDLE_OF_JAWS: Vec2 = Vec2::new(-320.0, -15.0);
const MIDDLE_OF_BAR: Vec2 = Vec2::new(310.0, -15.0);

/// The color of a mover that is not crushed.
#[derive(Component)]
struct Unhurt(Color);

/// Walks in a circle, starting at an angle.
#[derive(Component)]
struct Stroller(f32);

/// How often a mover was crushed.
#[derive(Component)]
struct Tally(u32);

pub fn plugin(app: &mut App) {
    app.add_plugins(walls::plugin)
        .add_systems(OnEnter(Scene::Crusher), spawn_movers)
        .add_systems(Update, stroll.run_if(in_state(Scene::Crusher)))
        .add_systems(
            PostUpdate,
            (redden, tell)
                .after(CollisionSystems::Report)
                .before(Painting)
                .run_if(in_state(Scene::Crusher)),
        )
        .add_observer(count);
}

fn spawn_movers(mut commands: Commands) {
    commands.spawn((HERE, Tally(0)));
    for number in 0u8..30 {
        let (column, row) = (number % 3, number / 3);
        let offset = Vec2::new(f32::from(column) - 1.0, f32::from(row) - 4.5) * 46.0;
        let (position, stroller) = (MIDDLE_OF_JAWS + offset, Stroller(f32::from(number)));
        if number % 4 == 0 {
            let square = RectCollider::new(22.0, 22.0);
            spawn_mover(&mut commands, square, palette::VIOLET, position).insert(stroller);
        } else {
            let circle = CircleCollider::new(12.0);
            spawn_mover(&mut commands, circle, palette::BLUE, position).insert(stroller);
        }
    }
    for number in 0u8..26 {
        let angle = f32::from(number) * 2.4;
        let position = MIDDLE_OF_BAR + Vec2::from_angle(angle) * (60.0 + 7.0 * f32::from(number));
        let circle = CircleCollider::new(12.0);
        spawn_mover(&mut commands, circle, palette::ORANGE, position).insert(Stroller(angle));
    }
    let player = Player {
        speed: 280.0,
        dash: 140.0,
    };
    let (circle, start) = (CircleCollider::new(15.0), Vec2::new(0.0, -200.0));
    spawn_mover(&mut commands, circle, palette::PLAYER, start).insert(player);
}

fn spawn_mover<'a>(
    commands: &'a mut Commands,
    collider: impl Collider,
    color: Color,
    position: Vec2,
) -> EntityCommands<'a> {
    let looks = body(collider, color, pose(position, 0.0));
    commands.spawn((HERE, Solid, Unhurt(color), looks))
}

fn stroll(time: Res<SceneTime>, mut movers: Query<(&Stroller, &mut Mover)>) {
    for (stroller, mut mover) in &mut movers {
        mover.velocity = Vec2::from_angle(stroller.0 + time.0 * 0.8) * 30.0;
    }
}

fn redden(mut movers: Query<(&MoverHits, &Unhurt, &mut Paint)>) {
    for (hits, unhurt, mut paint) in &mut movers {
        let is_crushed = hits.is_crushed();
        paint.set_if_neq(Paint(if is_crushed {
            palette::CRUSHED
        } else {
            unhurt.0
        }));
    }
}

fn count(
    crushed: On<Crushed>,
    movers: Query<&Transform>,
    tally: Option<Single<&mut Tally>>,
    mut commands: Commands,
) {
    let Ok(transform) = movers.get(crushed.entity) else {
        return;
    };
    if let Some(mut tally) = tally {
        tally.0 += 1;
    }
    let position = transform.translation.truncate();
    commands.spawn(Ring::new(position, palette::CRUSHED));
}

fn tell(movers: Query<&MoverHits>, tally: Single<&Tally>, mut readout: ResMut<Readout>) {
    let now = movers.iter().filter(|hits| hits.is_crushed()).count();
    readout.0 = format!("crushed now: {now}  |  so far: {}", tally.0);
}
