//! A match over UDP on one machine: a server and two clients, each in a process of its own.

use std::{
    env, io,
    process::{Child, Command, ExitCode, Output, Stdio},
};

use crate::{Options, offline};

/// The option that starts all of them. The others go to each of them.
pub const OPTION: &str = "--loopback-test";

/// Plays a match by bots, and compares the hashes of both clients with those of an offline match.
pub fn test(options: &Options) -> ExitCode {
    let outputs = match play() {
        Ok(outputs) => outputs,
        Err(error) => {
            println!("no match: {error}");
            return ExitCode::FAILURE;
        }
    };
    let expected = offline::play(options);
    let are_same = outputs.map(|output| compare(&output, &expected));
    if are_same == [true; 2] {
        println!(
            "all steps as offline; {}",
            expected.last().map_or("", String::as_str)
        );
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn play() -> io::Result<[Output; 2]> {
    let mut server = start(&["--server"])?;
    let clients = [start(&["--client", "0"]), start(&["--client", "1"])];
    let outputs = clients.map(|client| client?.wait_with_output());
    server.kill()?;
    server.wait()?;
    let [a, b] = outputs;
    Ok([a?, b?])
}

fn start(role: &[&str]) -> io::Result<Child> {
    Command::new(env::current_exe()?)
        .args(env::args().skip(1).filter(|argument| argument != OPTION))
        .args(role)
        .stdout(Stdio::piped())
        .spawn()
}

/// Prints what a client reported, and its first hash that is not the expected one.
fn compare(output: &Output, expected: &[String]) -> bool {
    let text = String::from_utf8_lossy(&output.stdout);
    let (hashes, report): (Vec<_>, Vec<_>) = text.lines().partition(|l| l.starts_with("step"));
    println!("{}", report.join("\n"));
    if let Some((hash, expected)) = hashes.iter().zip(expected).find(|(a, b)| a != b) {
        println!("{hash}, but offline: {expected}");
    }
    output.status.success() && hashes == expected
}
