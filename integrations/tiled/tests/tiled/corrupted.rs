//! Files with random damage: they load or are refused, and nothing panics.

use std::fs;

use bevy::prelude::*;
use bevy_thud_tiled::{TiledRules, spawn_map};

use crate::common::load;

const FILES: [&str; 3] = ["dungeon.tmx", "dungeon.tsx", "bat.tx"];
const BYTES: &[u8; 24] = b"0123456789-.,eE<>/\"= xNa";

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Replaces, removes or inserts a byte, or removes several.
fn damage(text: &mut Vec<u8>, is_map: bool, random: &mut Random) {
    let mut at = random.below(text.len());
    // Most of a map are cells, and its objects are at its end.
    if is_map && random.below(3) > 0 {
        at = if random.below(2) == 0 {
            at % 500
        } else {
            text.len() - 1 - at % 1600
        };
    }
    let byte = BYTES[random.below(BYTES.len())];
    match random.below(4) {
        0 => text[at] = byte,
        1 => text.insert(at, byte),
        2 => {
            text.remove(at);
        }
        _ => {
            let end = (at + random.below(40)).min(text.len());
            text.drain(at..end);
        }
    }
}

#[test]
fn damaged_files_load_or_are_refused() {
    let read = |name: &str| {
        let path = format!("{}/assets/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::read(path).expect("an asset of the example")
    };
    let whole = FILES.map(read);
    let mut random = Random(12_345);
    let [mut loaded, mut with_errors] = [0, 0];
    for _ in 0..300 {
        let mut files = whole.clone();
        for _ in 0..1 + random.below(3) {
            let index = random.below(FILES.len());
            damage(&mut files[index], index == 0, &mut random);
        }
        let texts = files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let [map, tileset, template] = &texts;
        let files = [
            ("level.tmx", map),
            ("dungeon.tsx", tileset),
            ("bat.tx", template),
        ];
        let Ok(map) = load(&files.map(|(name, text)| (name, text.as_str()))) else {
            continue;
        };
        let mut world = World::new();
        let spawned = spawn_map(&map, &TiledRules::new(), &mut world.commands());
        world.flush();
        loaded += 1;
        with_errors += u32::from(!spawned.errors.is_empty());
    }
    // All else was refused as a whole.
    assert!(loaded > 200 && with_errors > 150, "{loaded}, {with_errors}");
}
