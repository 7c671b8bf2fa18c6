//! A game over UDP on one machine: two players, each in a process of its own.

use std::{
    env, io,
    process::{Child, Command, ExitCode, Stdio},
};

use crate::Options;

/// The option that starts both. The others go to each of them.
const OPTION: &str = "--loopback-test";

/// Plays a game by bots, and compares the last lines that both print: their hashes.
pub fn test(options: &Options) -> ExitCode {
    match play(options) {
        Ok([(true, a), (true, b)]) if a.lines().last() == b.lines().last() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            println!("no game: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether each of the two players was content, and what it printed.
fn play(options: &Options) -> io::Result<[(bool, String); 2]> {
    let ports = [options.local_port, options.local_port + 1];
    let players = [start(0, ports)?, start(1, [ports[1], ports[0]])?];
    let outcomes: [io::Result<_>; 2] = players.map(|player| {
        let output = player.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        print!("{text}");
        Ok((output.status.success(), text))
    });
    let [a, b] = outcomes;
    Ok([a?, b?])
}

fn start(player: usize, [local, remote]: [u16; 2]) -> io::Result<Child> {
    Command::new(env::current_exe()?)
        .args(env::args().skip(1).filter(|argument| argument != OPTION))
        .args(["--headless", "--player", &player.to_string()])
        .args(["--local-port", &local.to_string()])
        .args(["--remote", &format!("127.0.0.1:{remote}")])
        .stdout(Stdio::piped())
        .spawn()
}
