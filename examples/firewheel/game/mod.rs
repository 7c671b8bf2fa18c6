//! The rules of the game. They know nothing of windows, meshes or colours: `look` adds those where there is a window.

pub mod arena;
pub mod audit;
mod bot;
mod burning;
mod controls;
pub mod display;
mod fire_wheel;
mod flow_field;
mod gate;
mod hazard;
pub mod headless;
pub mod health;
mod layers;
mod look;
mod medkit;
mod monsters;
mod options;
pub mod player;
mod press;
mod saw;
mod score;
mod stage;
mod status;
mod stopwatch;
pub mod tally;
mod turnstile;
mod waves;
pub mod window;

pub use options::Options;

use bevy::{prelude::*, time::common_conditions::on_timer};
use bevy_thud::prelude::*;

use stage::Pause;

/// Where all chance comes from: the same seed makes the same game.
#[derive(Resource, Deref, DerefMut)]
pub struct Dice(fastrand::Rng);

/// Everything but what is seen and heard.
pub struct GamePlugin {
    pub options: Options,
}

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(CollisionPlugin::default())
            .insert_resource(Dice(fastrand::Rng::with_seed(self.options.seed)))
            .insert_resource(self.options.clone())
            .add_plugins((
                stage::plugin,
                (
                    arena::plugin,
                    gate::plugin,
                    turnstile::plugin,
                    press::plugin,
                    saw::plugin,
                ),
                flow_field::plugin,
                health::plugin,
                player::plugin,
                monsters::plugin,
                medkit::plugin,
                waves::plugin,
                score::plugin,
                tally::plugin,
                stopwatch::plugin,
                audit::plugin,
            ))
            .add_systems(Update, one_step().run_if(in_state(Pause::Running)));
        if self.options.no_blocking {
            app.add_systems(PostUpdate, block_nothing.before(CollisionSystems::Sync));
        }
    }
}

/// One step of the game. [`CollisionPlugin`] comes after it, in `PostUpdate`: it moves the movers and finds what they met,
/// which the next step reads. The chain makes each game repeatable.
fn one_step() -> bevy::ecs::schedule::ScheduleConfigs<bevy::ecs::system::ScheduleSystem> {
    (
        // What the collisions of the last step brought about.
        (
            fire_wheel::burn_what_they_meet,
            fire_wheel::count_bounces,
            monsters::hurt_by_spit,
            monsters::bite,
            saw::cut,
            burning::burn,
        )
            .chain(),
        // What everybody wants.
        (
            flow_field::map_walls.run_if(flow_field::walls_changed),
            flow_field::find_ways.run_if(on_timer(flow_field::REFRESH)),
            bot::decide,
        )
            .chain(),
        // What everybody does.
        (
            player::walk,
            fire_wheel::shoot,
            fire_wheel::burn_out,
            monsters::chase,
            monsters::skitter,
            monsters::charge,
            monsters::keep_away,
            monsters::spit,
        )
            .chain(),
        // What the arena does.
        (
            gate::swing,
            press::slide,
            saw::dash,
            medkit::deliver,
            waves::direct,
            monsters::emerge,
            bot::play_again,
        )
            .chain(),
    )
        .chain()
}

/// What `--no-blocking` asks for: proof that the audit sees it.
fn block_nothing(mut movers: Query<&mut Mover, Added<Mover>>) {
    for mut mover in &mut movers {
        mover.response = MoverResponse::Pass;
    }
}
