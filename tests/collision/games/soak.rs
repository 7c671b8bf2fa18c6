//! Hours of play: memory stays flat, time per update stays flat, and events balance. The
//! environment variable `SOAK_UPDATES` sets the number of updates, a million by default.

use std::time::Duration;

use cpu_time::ProcessTime;

use super::firewheel;
use crate::common::{scene::Scene, *};

const CHUNK: usize = 10_000;
/// What memory may grow by after the first chunk, in bytes.
const MAX_GROWTH: u64 = 1 << 20;
/// What Bevy, which never frees an archetype, takes for one with its table, in bytes.
const PER_ARCHETYPE: u64 = 16 << 10;
/// What the later half of the chunks may take of the time of the earlier half.
const MAX_SLOWDOWN: f64 = 1.5;

/// The memory of this process, in bytes; 0 where it is not known.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("RssAnon:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok());
    1024 * kilobytes.unwrap_or(0u64)
}

fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

/// Updates a million times, in chunks, and checks what each chunk adds. `update` returns the number
/// of archetypes.
fn soak(name: &str, mut update: impl FnMut() -> usize) {
    let requested = std::env::var("SOAK_UPDATES").ok();
    let updates = requested.map_or(1_000_000, |updates| updates.parse().expect("a number"));
    let mut times = vec![];
    let mut first = None;
    for chunk in 0..updates / CHUNK {
        let start = ProcessTime::now();
        let archetypes = (0..CHUNK).map(|_| update()).last().unwrap_or_default() as u64;
        times.push(start.elapsed());
        let now = memory().saturating_sub(PER_ARCHETYPE * archetypes);
        let growth = now.saturating_sub(*first.get_or_insert(now));
        println!(
            "{name}, {} updates: {growth} bytes, {:?}",
            (chunk + 1) * CHUNK,
            times[chunk]
        );
        assert!(growth <= MAX_GROWTH, "{growth} bytes after {chunk} chunks");
    }
    let (earlier, later) = times.split_at(times.len() / 2);
    let slowdown = median(later) / median(earlier);
    println!("{name}: the later half takes {slowdown} of the time of the earlier half");
    assert!(slowdown <= MAX_SLOWDOWN);
}

#[test]
#[ignore = "takes many minutes"]
fn hours_of_the_game_take_no_more_memory_and_time() {
    let mut app = firewheel::game_of(1);
    record_events(&mut app);
    let mut replay = Replay::default();
    soak("game", || {
        replay.record(&step(&mut app));
        app.world().archetypes().len()
    });
    assert_eq!(replay.pairs(), pairs(&mut app));
}

#[test]
#[ignore = "takes many minutes"]
fn hours_of_change_take_no_more_memory_and_time() {
    let mut scene = Scene::new(1, 60);
    soak("scene", || {
        scene.change_something();
        while scene.entities.len() < 50 {
            scene.spawn();
        }
        while scene.entities.len() > 70 {
            let entity = scene.entities.swap_remove(0);
            scene.app.world_mut().despawn(entity);
            let world = scene.app.world();
            scene
                .entities
                .retain(|&entity| world.get_entity(entity).is_ok());
        }
        scene.frame(30);
        scene.app.world().archetypes().len()
    });
    scene.check("at the end");
}
