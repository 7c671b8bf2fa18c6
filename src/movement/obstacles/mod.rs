//! The colliders that block a mover, near a position and ahead of it.

mod cache;
mod intervals;
mod lookahead;
pub(crate) mod one_way;
mod pose;

pub(crate) use one_way::{
    MoverStart, OneWayObstacle, blocks_displacement, blocks_from, may_be_past, pass_through,
};

pub(crate) use cache::{Blockers, Blocks, NearObstacle, Obstacle, Obstacles};
pub(crate) use intervals::{covered_until, near_interval, near_interval_from};
pub(crate) use lookahead::{Lookahead, swept_box};
pub(crate) use pose::{MoverPose, SlideState};
