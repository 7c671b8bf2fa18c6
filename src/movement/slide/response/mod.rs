//! How movers respond to what blocks them. The response of walkers is in `walk`.

mod bounce;
mod slide;
mod stop;

pub(crate) use bounce::Bounce;
pub(crate) use slide::SlideAlong;
pub(crate) use stop::Stop;

use crate::movement::{
    body::{Footing, Velocity},
    slide::{Slide, SweepHit},
};

/// How a mover responds to what blocks it.
pub(crate) trait Response {
    /// Returns the velocity after a hit. Its plane is the last of the held ones.
    fn velocity_after(&self, slide: &Slide, hit: &SweepHit) -> Velocity;

    /// Called when the move begins, outside of all walls.
    fn begin(&mut self, _: &mut Slide) {}

    /// Called after a hit.
    fn respond(&mut self, slide: &mut Slide, hit: &SweepHit) {
        slide.state.velocity = self.velocity_after(slide, hit);
    }

    /// Called where the surface ends along which the mover slid.
    fn lose_contact(&mut self, slide: &mut Slide) {
        slide.turn_back();
    }

    /// Called when the move ends. Returns what the mover stands on.
    fn end(&mut self, slide: &mut Slide) -> Footing {
        slide.turn_along_last_surface();
        Footing::NONE
    }
}
