//! How movers respond to what blocks them. The response of walkers is in `walk`.

mod bounce;
mod slide;
mod stop;

pub(crate) use bounce::Bounce;
pub(crate) use slide::SlideAlong;
pub(crate) use stop::Stop;

use bevy::math::Vec2;

use crate::movement::{
    body::{Footing, Velocity},
    slide::Slide,
};

/// How a mover responds to what blocks it.
pub(crate) trait Response {
    /// Returns the velocity after a surface with this outward normal blocked the mover. It is the
    /// last of the held planes.
    fn velocity_after(&self, slide: &Slide, normal: Vec2) -> Velocity;

    /// Called when the move begins, outside of all walls.
    fn begin(&mut self, _: &mut Slide) {}

    /// Called when a surface with this outward normal blocked the mover.
    fn respond(&mut self, slide: &mut Slide, normal: Vec2) {
        slide.state.velocity = self.velocity_after(slide, normal);
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
