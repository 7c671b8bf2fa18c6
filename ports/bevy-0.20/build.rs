//! Chooses the imports that differ in Bevy 0.20.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(bevy_0_20)");
    println!("cargo::rustc-cfg=bevy_0_20");
}
