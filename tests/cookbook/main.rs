//! The recipes of `docs/guide/cookbook.md`, each with its test. A file has a question, the recipe
//! that the page shows, and what tests it.

mod app;
mod belt;
mod boomerang;
mod boss;
mod bounces;
mod brick;
mod checkpoint;
mod conveyor;
mod corner_correction;
mod crater;
mod crouch;
mod crumbling;
mod destructible;
mod door;
mod explosion;
mod foes;
mod hit_stop;
mod homing;
mod hookshot;
mod ice;
mod jump;
mod key;
mod knockback;
mod ladder;
mod lift;
mod magnet;
mod muzzle;
mod own_shot;
mod paddle;
mod path;
mod patrol;
mod pause;
mod piercing;
mod pinball;
mod punch;
mod radar;
mod ramming;
mod sokoban;
mod spikes;
mod spring;
mod sword;
mod teleporter;
mod towers;
mod trailer;
mod view_cone;
mod wall_jump;
mod water;
mod wind;
mod wrapping;

use std::{fs, path::Path};

/// Ends a recipe.
const MARK: &str = "// ---- What tests it ----";

#[test]
fn the_page_shows_what_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/guide/cookbook.md")).unwrap();
    let mut recipes = 0;
    for file in fs::read_dir(root.join("tests/cookbook")).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let Some((shown, _)) = text.split_once(&format!("\n{MARK}")) else {
            continue;
        };
        let (question, recipe) = shown.split_once('\n').unwrap();
        let question = question.trim_start_matches("//! ");
        let shown = format!("### {question}\n\n```rust\n{}\n```\n", recipe.trim());
        assert!(page.contains(&shown), "{path:?}");
        recipes += 1;
    }
    assert_eq!(page.matches("\n### ").count(), recipes);
}
