//! What says why something happens: explanations, hints, drawing and diagnostics.

#[cfg(feature = "debug")]
mod debug_drawing;
mod diagnostics;
pub mod explain;
mod explain_blocking;
mod explain_scenes;
mod hints;
mod idle;
mod written_movers;
