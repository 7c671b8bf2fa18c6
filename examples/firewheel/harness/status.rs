//! `--status`: writes a line about the game every half second, for another program to read.

use std::{io::Write, path::PathBuf, time::Duration};

use bevy::{prelude::*, time::common_conditions::on_timer, utils::once};

use super::{
    super::{
        game::{health::Health, player::Player, waves::Waves},
        platform::File,
    },
    audit::Audit,
};

#[derive(Resource)]
struct StatusFile(File);

pub fn plugin(path: Option<PathBuf>) -> impl Plugin {
    move |app: &mut App| match path.as_ref().map(File::create) {
        None => {}
        Some(Ok(file)) => {
            let every_half_second = on_timer(Duration::from_millis(500));
            app.insert_resource(StatusFile(file))
                .add_systems(Last, write_line.run_if(every_half_second));
        }
        Some(Err(error)) => log::error!("the status cannot be written: {error}"),
    }
}

/// Seconds, x and y of the first player, wave, health, breaches. Writes nothing while that player
/// is dead.
fn write_line(
    mut file: ResMut<StatusFile>,
    players: Query<(&Player, &Transform, &Health)>,
    waves: Res<Waves>,
    audit: Res<Audit>,
    time: Res<Time>,
) {
    let first = players.iter().find(|(player, ..)| player.0 == 0);
    let Some((_, Transform { translation, .. }, health)) = first else {
        return;
    };
    let line = writeln!(
        file.0,
        "{:.1} {:.2} {:.2} {} {:.0} {}",
        time.elapsed_secs(),
        translation.x,
        translation.y,
        waves.number,
        health.now,
        audit.breaches,
    );
    if let Err(error) = line {
        once!(log::error!("the status cannot be written: {error}"));
    }
}
