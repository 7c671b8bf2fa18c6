//! The rules of the game. They know nothing of windows, meshes or colors, nor of bots and audits.
//!
//! | the file | what it shows |
//! |---|---|
//! | `layers` | [`CollisionLayer`] and [`LayerTable`]: who collides with whom |
//! | `player` | a [`Mover`] that is [`Solid`] |
//! | `fire_wheel` | [`MoverResponse::Bounce`], [`Hits`] and [`MoverHit`] |
//! | `monsters` | crowds of movers, of different weights |
//! | `gate` | triggers with observers, [`ColliderDisabled`], [`CollidingEntities`] |
//! | `turnstile` | [`OneWay`] |
//! | `press` | a moving wall, and [`Crushed`] |
//! | `saw` | [`Swept`], for what is too fast |
//! | `medkit` | a pickup: an observer of [`CollisionStart`] |
//! | `flow_field` | the `geometry` module, without the plugin |
//! | `stage` | a pause: movers stand still while time does |

pub mod arena;
pub mod burning;
pub mod exact;
pub mod fire_wheel;
pub mod flow_field;
pub mod gate;
pub mod hazard;
pub mod health;
pub mod layers;
pub mod medkit;
pub mod monsters;
pub mod player;
pub mod press;
pub mod saw;
pub mod score;
pub mod stage;
mod turnstile;
pub mod waves;

use bevy::{prelude::*, time::common_conditions::on_timer};
use bevy_thud::prelude::*;

use player::PlayerCount;
use stage::Pause;
use waves::FirstWave;

/// Where all chance comes from: the same seed makes the same game.
#[derive(Resource, Deref, DerefMut)]
pub struct Dice(fastrand::Rng);

/// Everything but what is seen and heard, and who plays.
pub struct GamePlugin {
    /// One or two.
    pub player_count: usize,
    pub seed: u64,
    pub first_wave: usize,
}

/// The parts of a step of the game, in their order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The consequences of the collisions of the last step.
    Consequences,
    /// What everybody wants.
    Intents,
    /// What everybody does.
    Actions,
    /// What the arena does.
    Arena,
}

impl Plugin for GamePlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(CollisionPlugin::default())
            .insert_resource(Dice(fastrand::Rng::with_seed(self.seed)))
            .insert_resource(PlayerCount(self.player_count))
            .insert_resource(FirstWave(self.first_wave))
            .add_plugins((
                stage::plugin,
                layers::plugin,
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
            ))
            .add_plugins(one_step);
    }
}

/// One step of the game. [`CollisionPlugin`] comes after it, in `PostUpdate`: it moves the movers
/// and finds what they touch, which the next step reads. The chains make each game repeatable.
fn one_step(app: &mut App) {
    let steps = (
        Step::Consequences,
        Step::Intents,
        Step::Actions,
        Step::Arena,
    );
    app.configure_sets(Update, steps.chain().run_if(in_state(Pause::Running)))
        .add_systems(
            Update,
            (
                fire_wheel::burn_what_they_meet,
                fire_wheel::count_bounces,
                monsters::hurt_by_spit,
                monsters::bite,
                saw::cut,
                burning::burn,
            )
                .chain()
                .in_set(Step::Consequences),
        )
        .add_systems(
            Update,
            (
                flow_field::map_walls.run_if(flow_field::walls_changed),
                flow_field::find_paths.run_if(on_timer(flow_field::REFRESH)),
            )
                .chain()
                .in_set(Step::Intents),
        )
        .add_systems(
            Update,
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
                .chain()
                .in_set(Step::Actions),
        )
        .add_systems(
            Update,
            (
                gate::swing,
                press::slide,
                saw::dash,
                medkit::deliver,
                waves::direct,
                monsters::emerge,
            )
                .chain()
                .in_set(Step::Arena),
        );
}
