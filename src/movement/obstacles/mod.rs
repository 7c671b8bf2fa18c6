//! The colliders that block a mover, near a position and ahead of it.

mod cache;
mod intervals;
mod lookahead;
mod one_way;
mod pose;

pub(crate) use cache::{Blockers, Exit, NearObstacle, Obstacle, Obstacles, WHOLE_UPDATE};
pub(crate) use intervals::{covered_until, near_interval, near_interval_from};
pub(crate) use lookahead::{Lookahead, swept_box};
pub(crate) use one_way::{MoverStart, pass_through};
pub(crate) use pose::{MoverPose, SlideState};
