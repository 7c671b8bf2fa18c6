//! Sliding along what blocks.

use super::Response;
use crate::{
    geometry::slide_along,
    movement::{
        body::Velocity,
        slide::{Slide, SweepHit, normals},
    },
};

/// Projects the desired velocity onto all planes. Not the current one, so that a mover rests in a
/// corner instead of climbing one side of it.
pub(crate) struct SlideAlong;

impl Response for SlideAlong {
    fn velocity_after(&self, slide: &Slide, _: &SweepHit) -> Velocity {
        let planes = &slide.buffers.planes.held;
        (slide.motion.desired).map(|vector| slide_along(vector, normals(planes)))
    }
}
