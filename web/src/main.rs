//! All examples in one program for browsers: the page loads it once, whichever of them it shows.
//!
//! `?example=walker` in the address of the page chooses one. `save_game` is not among them: it
//! writes a file.

#![allow(
    clippy::duplicate_mod,
    reason = "each example has its own copy of what they share"
)]

#[path = "../../examples/arcade/main.rs"]
mod arcade;
#[path = "../../examples/firewheel/main.rs"]
mod firewheel;
#[path = "bin/frame_times.rs"]
mod frame_times;
#[path = "../../examples/layers.rs"]
mod layers;
#[path = "../../examples/line_of_sight.rs"]
mod line_of_sight;
#[path = "../../examples/minimal.rs"]
mod minimal;
#[path = "../../examples/movement/main.rs"]
mod movement;
#[path = "../../examples/one_way.rs"]
mod one_way;
#[path = "../../examples/pixels.rs"]
mod pixels;
#[path = "../../examples/platformer/main.rs"]
mod platformer;
#[path = "../../examples/playground/main.rs"]
mod playground;
#[path = "../../examples/smooth.rs"]
mod smooth;
#[path = "../../examples/tile_map.rs"]
mod tile_map;
#[path = "../../examples/top_down.rs"]
mod top_down;
#[path = "../../examples/triggers.rs"]
mod triggers;
#[path = "../../examples/walker.rs"]
mod walker;

use wasm_bindgen::throw_str;
use web_sys::UrlSearchParams;

fn main() {
    let address = web_sys::window().expect("this runs in a page").location();
    let search = address.search().unwrap_or_default();
    let parameters = UrlSearchParams::new_with_str(&search).expect("a string has parameters");
    start(&parameters.get("example").unwrap_or_default());
}

/// Starts an example, which then goes on by itself.
fn start(name: &str) {
    match name {
        "arcade" => _ = arcade::main(),
        "firewheel" | "" => _ = firewheel::main(),
        "frame_times" => _ = frame_times::main(),
        "layers" => _ = layers::main(),
        "line_of_sight" => _ = line_of_sight::main(),
        "minimal" => minimal::main(),
        "movement" => _ = movement::main(),
        "one_way" => _ = one_way::main(),
        "pixels" => pixels::main(),
        "platformer" => _ = platformer::main(),
        "playground" => _ = playground::main(),
        "smooth" => _ = smooth::main(),
        "tile_map" => _ = tile_map::main(),
        "top_down" => _ = top_down::main(),
        "triggers" => _ = triggers::main(),
        "walker" => _ = walker::main(),
        // The page shows it.
        _ => throw_str(&format!("There is no example {name:?}.")),
    }
}
