//! The game in a window.

#[path = "../common/window.rs"]
mod frame;

use bevy::{app::AppExit, ecs::schedule::common_conditions::condition_changed_to, prelude::*};

use super::{
    controls,
    game::{self, Score},
    harness::{
        Options,
        audit::{self, Audit},
        bot,
        headless::Summary,
    },
    look, platform,
};

/// Opens a window and plays until it is closed or the time is up.
pub fn play(options: &Options) -> AppExit {
    let mut app = App::new();
    app.add_plugins(frame::plugins("Platformer")).add_plugins((
        game::plugin,
        controls::plugin,
        look::plugin,
    ));
    if options.bot {
        app.add_plugins((bot::plugin, audit::plugin)).add_systems(
            Last,
            print_summary.run_if(condition_changed_to(true, is_finished)),
        );
    } else {
        app.add_plugins(controls::steering);
    }
    frame::close_after(&mut app, options.seconds);
    app.run()
}

fn is_finished(score: Res<Score>) -> bool {
    score.finished.is_some()
}

fn print_summary(score: Res<Score>, audit: Res<Audit>) {
    platform::print(Summary {
        score: score.clone(),
        audit: audit.clone(),
    });
}
