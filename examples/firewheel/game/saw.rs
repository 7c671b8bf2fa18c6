//! Saws: they cross the arena in a few frames and cut everybody on their path.
//!
//! A saw is not a mover, because nothing blocks it: the game writes its `Transform`, and [`Swept`]
//! keeps it from tunneling.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    hazard::Hazard,
    health::{Damage, Health},
    layers::Layer,
    waves::Waves,
};

pub const RADIUS: f32 = 13.0;
/// In one frame a saw moves three times its own size.
const SPEED: f32 = 4800.0;
const DAMAGE: f32 = 45.0;
const WAIT_SECONDS: f32 = 2.2;
/// How long its rail glows before it starts.
const WARNING_SECONDS: f32 = 1.0;
/// From one slanted wall to another.
const RAILS: [[Vec2; 2]; 2] = [
    [Vec2::new(-330.0, 125.0), Vec2::new(-330.0, -135.0)],
    [Vec2::new(330.0, 125.0), Vec2::new(330.0, -135.0)],
];

/// They stand still until this wave.
pub const FIRST_WAVE: usize = 3;

#[derive(Component)]
#[require(Swept)]
pub struct Saw {
    /// Where it waits, and where it goes next.
    ends: [Vec2; 2],
    seconds_left: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, build);
}

/// The saws start one after the other.
fn build(mut commands: Commands) {
    for (number, ends) in (1..).zip(RAILS) {
        let seconds_left = WAIT_SECONDS * number as f32 / RAILS.len() as f32;
        let width = Vec2::new(RADIUS, 0.0);
        commands.spawn((
            Saw { ends, seconds_left },
            Hazard::new(Rect::from_corners(ends[0] - width, ends[1] + width)),
            CircleCollider::new(RADIUS),
            Layer::Saw,
            Transform::from_translation(ends[0].extend(5.0)),
        ));
    }
}

pub fn dash(
    mut saws: Query<(&mut Saw, &mut Transform, &mut Hazard)>,
    waves: Res<Waves>,
    time: Res<Time>,
) {
    for (mut saw, mut at, mut hazard) in &mut saws {
        let is_waiting = saw.seconds_left >= WARNING_SECONDS;
        // A saw that has warned finishes its dash, also when the waves begin anew.
        if waves.number >= FIRST_WAVE || !is_waiting {
            saw.seconds_left -= time.delta_secs();
        }
        hazard.is_live = saw.seconds_left < WARNING_SECONDS;
        if saw.seconds_left > 0.0 {
            continue;
        }
        let goal = saw.ends[1].extend(at.translation.z);
        at.translation = at.translation.move_towards(goal, SPEED * time.delta_secs());
        if at.translation == goal {
            saw.ends.reverse();
            saw.seconds_left = WAIT_SECONDS;
        }
    }
}

/// Includes everybody whom a saw passed between two frames.
pub fn cut(mut hits: Hits<With<Saw>, With<Health>>, mut commands: Commands) {
    for hit in hits.read() {
        commands.trigger(Damage {
            entity: hit.b,
            amount: DAMAGE,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;

    use super::*;

    fn play(app: &mut App, seconds: f32) {
        (0..(64.0 * seconds) as u32).for_each(|_| app.update());
    }

    /// How many rails are lit.
    fn lit(app: &mut App) -> usize {
        let world = app.world_mut();
        let mut hazards = world.query::<&Hazard>();
        hazards.iter(world).filter(|hazard| hazard.is_live).count()
    }

    #[test]
    fn no_rail_is_lit_before_the_wave_of_the_saws_whenever_a_game_is_restarted() {
        let step = Duration::from_secs_f32(1.0 / 64.0);
        for seconds in [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0] {
            let mut app = App::new();
            app.add_plugins((MinimalPlugins, plugin))
                .insert_resource(TimeUpdateStrategy::ManualDuration(step))
                .init_resource::<Waves>()
                .add_systems(Update, dash);
            play(&mut app, 3.0);
            assert_eq!(lit(&mut app), 0);
            app.world_mut().resource_mut::<Waves>().number = FIRST_WAVE;
            play(&mut app, 1.0 + seconds);
            assert!(lit(&mut app) > 0);
            app.world_mut().resource_mut::<Waves>().number = 0;
            play(&mut app, 2.0);
            assert_eq!(lit(&mut app), 0, "restarted after {seconds} s");
        }
    }
}
