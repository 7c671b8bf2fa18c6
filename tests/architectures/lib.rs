//! The tests of equal bits as a crate that builds for any architecture: those in the folder
//! `collision`, with the same recorded hashes.
#![cfg(test)]

#[allow(dead_code, unused_imports, reason = "other tests need it")]
#[path = "../collision/common/mod.rs"]
mod common;
#[path = "../collision/determinism/mod.rs"]
mod determinism;
#[path = "../collision/games/firewheel.rs"]
pub mod firewheel;

mod games {
    pub use crate::firewheel;
}
