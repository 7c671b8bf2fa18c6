//! The game without a window: a bot walks to the exit, and an audit looks into walls.

use std::time::Duration;

use bevy::{app::AppExit, prelude::*, time::TimeUpdateStrategy};
use bevy_thud::prelude::*;

use super::{Hero, SPEED, Score, game};

const STEP: Duration = Duration::from_nanos(16_666_667);
/// Where the bot walks, one after the other, around pillars and pits.
const ROUTE: [Vec2; 7] = [
    Vec2::new(-136.0, 112.0),
    Vec2::new(-136.0, 40.0),
    Vec2::new(-24.0, 40.0),
    Vec2::new(-24.0, -24.0),
    Vec2::new(232.0, -24.0),
    Vec2::new(232.0, -104.0),
    Vec2::new(210.0, -104.0),
];
/// A point counts as reached within this distance.
const NEAR: f32 = 3.0;

/// How the bot and the plugin did.
#[derive(Resource, Default, Clone, Copy)]
struct Audit {
    steps: u32,
    /// How often a mover was inside of a wall.
    breaches: u32,
}

/// Plays until the hero wins or the time is up. Fails if it does not win, or if anybody was inside
/// of a wall.
pub fn play(seconds: f32) -> AppExit {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, game))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .init_resource::<Audit>()
        .add_systems(PreUpdate, walk)
        .add_systems(Last, look_into_walls);
    app.finish();
    app.cleanup();
    let steps = (seconds / STEP.as_secs_f32()) as u32;
    let is_over = |world: &World| {
        world.resource::<Score>().wins > 0 || world.resource::<Audit>().steps >= steps
    };
    while !is_over(app.world()) {
        app.update();
    }
    let Score { falls, wins } = *app.world().resource();
    let Audit { steps, breaches } = *app.world().resource();
    let seconds = steps as f32 * STEP.as_secs_f32();
    println!(
        "{wins} wins and {falls} falls in {seconds:.1} s; {steps} steps, {breaches} in a wall"
    );
    if wins > 0 && breaches == 0 {
        AppExit::Success
    } else {
        AppExit::error()
    }
}

/// Follows the route, which begins anew after a fall.
fn walk(
    hero: Option<Single<(&mut Mover, &Transform), With<Hero>>>,
    score: Res<Score>,
    mut next: Local<usize>,
    mut falls: Local<u32>,
) {
    let Some(hero) = hero else { return };
    let (mut mover, transform) = hero.into_inner();
    if *falls != score.falls {
        (*falls, *next) = (score.falls, 0);
    }
    let missing = ROUTE[*next] - transform.translation.truncate();
    if missing.length() < NEAR && *next + 1 < ROUTE.len() {
        *next += 1;
    }
    mover.velocity = SPEED * missing.normalize_or_zero();
}

fn look_into_walls(
    movers: Query<Entity, With<Mover>>,
    query: SpatialQuery,
    mut audit: ResMut<Audit>,
) {
    audit.steps += 1;
    for mover in &movers {
        let walls = query.of(mover).map(|mover| mover.in_the_way());
        audit.breaches += u32::from(walls.is_some_and(|walls| !walls.is_empty()));
    }
}
