//! How movers respond to what they meet: each response in a file of its own. That of walkers is in
//! `walk`.

mod bounce;
mod slide;
mod stop;

pub(crate) use bounce::Bounce;
pub(crate) use slide::SlideAlong;
pub(crate) use stop::Stop;

use bevy::math::Vec2;

use crate::movement::{
    body::{Footing, Velocity},
    obstacles::Blocks,
    slide::Slide,
};

/// How a mover responds to what it meets.
pub(crate) trait Response {
    /// The velocity after a surface with this outward normal, the last of the held planes, blocked
    /// the mover.
    fn velocity_after<B: Blocks>(&self, slide: &Slide<B>, normal: Vec2) -> Velocity;

    /// The mover begins, outside of all walls.
    fn begin<B: Blocks>(&mut self, _: &mut Slide<B>) {}

    /// A surface with this outward normal blocked the mover.
    fn respond<B: Blocks>(&mut self, slide: &mut Slide<B>, normal: Vec2) {
        slide.state.velocity = self.velocity_after(slide, normal);
    }

    /// The surface ends along which the mover slid.
    fn lose_contact<B: Blocks>(&mut self, slide: &mut Slide<B>) {
        slide.turn_back();
    }

    /// The mover ends. Returns what it stands on.
    fn end<B: Blocks>(&mut self, slide: &mut Slide<B>) -> Footing {
        slide.turn_along_last_surface();
        Footing::NONE
    }
}
