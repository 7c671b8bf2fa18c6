//! A crowd that squeezes through one door.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::stage::{Paint, Player, Readout, Scene, body, palette, pose, room, wall};

const HERE: DespawnOnExit<Scene> = DespawnOnExit(Scene::Crowd);
const AREA: Rect = Rect {
    min: Vec2::new(-610.0, -300.0),
    max: Vec2::new(610.0, 270.0),
};
const COUNT: u16 = 300;
const RADIUS: f32 = 8.0;
const SPEED: f32 = 150.0;
const DOOR: Vec2 = Vec2::new(120.0, -15.0);
const DOOR_WIDTH: f32 = 6.0 * RADIUS;
const WALL: f32 = 14.0;
const GOAL: Vec2 = Vec2::new(540.0, -15.0);
const GOAL_RADIUS: f32 = 45.0;

/// A member of the crowd.
#[derive(Component)]
struct Walker {
    home: Vec2,
}

/// How many reached the goal, and the deepest penetration of two movers, or of a mover and a wall.
#[derive(Component, Default)]
struct Tally {
    arrived: u32,
    depth: f32,
    depth_in_wall: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Scene::Crowd), spawn).add_systems(
        Update,
        (measure, steer, tell)
            .chain()
            .run_if(in_state(Scene::Crowd)),
    );
}

fn spawn(mut commands: Commands) {
    room(&mut commands, Scene::Crowd, AREA, WALL);
    let edges = [
        (DOOR.y + DOOR_WIDTH / 2.0, AREA.max.y),
        (AREA.min.y, DOOR.y - DOOR_WIDTH / 2.0),
    ];
    for (bottom, top) in edges {
        let position = Vec2::new(DOOR.x, bottom.midpoint(top));
        commands.spawn((
            HERE,
            wall(Vec2::new(WALL, top - bottom), pose(position, 0.0)),
        ));
    }
    commands.spawn((
        HERE,
        CircleCollider::new(GOAL_RADIUS),
        Paint(palette::WAY),
        pose(GOAL, 0.0),
    ));
    for number in 0..COUNT {
        let (column, row) = (number / 20, number % 20);
        let home = AREA.min + 24.0 + Vec2::new(f32::from(column), f32::from(row)) * 27.0;
        let color = palette::BODIES[usize::from(row / 7)];
        let looks = body(CircleCollider::new(RADIUS), color, pose(home, 0.0));
        commands.spawn((HERE, Solid, Walker { home }, looks));
    }
    let big = body(
        CircleCollider::new(20.0),
        palette::PLAYER,
        pose(Vec2::new(350.0, 150.0), 0.0),
    );
    let player = Player {
        speed: 260.0,
        dash: 140.0,
    };
    commands.spawn((HERE, Solid, player, big)).insert(Mover {
        weight: 50.0,
        ..default()
    });
    commands.spawn((HERE, Tally::default()));
}

/// Walks to the door, through it, and to the goal, and starts again.
fn steer(mut walkers: Query<(&Walker, &mut Mover, &mut Transform)>, mut tally: Single<&mut Tally>) {
    for (walker, mut mover, mut transform) in &mut walkers {
        let position = transform.translation.truncate();
        let half = DOOR_WIDTH / 2.0 - RADIUS;
        let aim = if position.x > DOOR.x - WALL {
            GOAL
        } else {
            DOOR.with_y(position.y.clamp(DOOR.y - half, DOOR.y + half))
        };
        mover.velocity = (aim - position).normalize_or_zero() * SPEED;
        if position.distance(GOAL) < GOAL_RADIUS {
            tally.arrived += 1;
            transform.translation = walker.home.extend(transform.translation.z);
        }
    }
}

fn measure(
    collisions: Collisions,
    solids: Query<Has<Mover>, With<Solid>>,
    mut tally: Single<&mut Tally>,
) {
    for pair in collisions.iter() {
        match solids.get_many([pair.a, pair.b]) {
            Ok([true, true]) => tally.depth = tally.depth.max(pair.contact.depth),
            Ok(_) => tally.depth_in_wall = tally.depth_in_wall.max(pair.contact.depth),
            Err(_) => {}
        }
    }
}

fn tell(tally: Single<&Tally>, mut readout: ResMut<Readout>) {
    let Tally {
        arrived,
        depth,
        depth_in_wall,
    } = **tally;
    readout.0 = format!(
        "arrived: {arrived}  |  deepest so far: {depth:.2} in each other, {depth_in_wall:.3} in a wall"
    );
}
