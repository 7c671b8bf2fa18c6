//! The guide: how to use each part of the crate, from the first collider to rollback.
//!
//! Start with [`colliders`], [`layers`] and [`movers`]. The [`cookbook`] has what many games need,
//! in a few lines each, and [`examples`] are whole programs. If nothing happens, see
//! [`troubleshooting`].
//!
//! - **A game:** [`colliders`], [`layers`], [`movers`], [`walkers`], [`events`], [`tiles`],
//!   [`levels`], [`queries`], [`schedules`], [`smooth_drawing`], [`testing`].
//! - **In depth:** [`rules`], [`solids`], [`performance`], [`rollback`], [`saves`], [`stability`],
//!   [`web`].
//! - **From elsewhere:** [`coming_from_avian`], [`coming_from_bevy_rapier`], [`coming_from_godot`],
//!   [`coming_from_unity`], [`bevy_0_20`].

#![allow(
    rustdoc::redundant_explicit_links,
    reason = "on a page of `docs/guide`, each link needs its target"
)]

/// A module for each page of `docs/guide`. Of several definitions of a link the first one counts,
/// so that those in front of a page replace the relative ones at its end.
macro_rules! pages {
    ($($name:ident: $page:literal,)*) => {
        $(
            #[doc = include_str!("../docs/rustdoc-links.md")]
            #[doc = include_str!($page)]
            pub mod $name {}
        )*
    };
}

pages! {
    colliders: "../docs/guide/colliders.md",
    layers: "../docs/guide/layers.md",
    movers: "../docs/guide/movers.md",
    walkers: "../docs/guide/walkers.md",
    events: "../docs/guide/events.md",
    tiles: "../docs/guide/tiles.md",
    levels: "../docs/guide/levels.md",
    queries: "../docs/guide/queries.md",
    schedules: "../docs/guide/schedules.md",
    smooth_drawing: "../docs/guide/smooth-drawing.md",
    testing: "../docs/guide/testing.md",
    troubleshooting: "../docs/guide/troubleshooting.md",
    rollback: "../docs/guide/rollback.md",
    saves: "../docs/guide/saves.md",
    performance: "../docs/guide/performance.md",
    web: "../docs/guide/web.md",
    stability: "../docs/guide/stability.md",
    rules: "../docs/guide/rules.md",
    solids: "../docs/guide/solids.md",
    cookbook: "../docs/guide/cookbook.md",
    examples: "../docs/guide/examples.md",
    coming_from_avian: "../docs/guide/coming-from/avian.md",
    coming_from_bevy_rapier: "../docs/guide/coming-from/bevy_rapier.md",
    coming_from_godot: "../docs/guide/coming-from/godot.md",
    coming_from_unity: "../docs/guide/coming-from/unity.md",
    bevy_0_20: "../docs/guide/bevy-0.20.md",
}
