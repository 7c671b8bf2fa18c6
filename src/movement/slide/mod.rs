//! Sliding from surface to surface: sweeps, contact planes, and responses.

mod hits;
mod planes;
mod response;
mod run;
mod slide;
mod sweep;

pub(crate) use hits::record_floor;
pub(crate) use planes::normals;
pub(crate) use response::{Bounce, Response, SlideAlong, Stop};
pub(crate) use run::{end_move, run};
pub(crate) use slide::{Slide, SlideBuffers};
pub(crate) use sweep::ContactPlane;
