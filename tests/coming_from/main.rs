//! Published examples of other engines, ported: they check the pages in `docs/guide/coming-from`.
//! A file has a port, as a game would have it, and what plays it. The pages show excerpts.

mod app;
mod avian;
mod bevy_rapier;
mod godot;
mod unity;

use std::{fs, path::Path};

#[test]
fn the_pages_show_what_is_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["avian", "bevy_rapier", "godot", "unity"] {
        let page = root.join(format!("docs/guide/coming-from/{name}.md"));
        let page = fs::read_to_string(page).unwrap();
        let port = root.join(format!("tests/coming_from/{name}.rs"));
        let port = fs::read_to_string(port).unwrap();
        let (_, section) = page.split_once("\n## A port\n").unwrap();
        let (_, code) = section.split_once("\n```rust,ignore\n").unwrap();
        let (code, _) = code.split_once("\n```\n").unwrap();
        for item in code.split("\n\n") {
            assert!(port.contains(item), "{name}: {item}");
        }
    }
}
