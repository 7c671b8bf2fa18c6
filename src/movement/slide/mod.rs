//! Sliding from surface to surface: sweeps, contact planes, and responses.

mod hits;
mod planes;
mod progress;
mod response;
mod run;
mod sweep;

pub(crate) use hits::record_floor;
pub(crate) use planes::normals;
pub(crate) use progress::{Slide, SlideBuffers};
pub(crate) use response::{Bounce, Response, SlideAlong, Stop};
pub(crate) use run::{end_move, run};
pub(crate) use sweep::{ContactPlane, SweepHit};
