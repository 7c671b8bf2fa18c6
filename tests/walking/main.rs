//! Walkers: movers that stand on floors, walk on slopes and steps, and ride on platforms.

mod carrying;
mod changed_floor;
mod corners;
mod course;
mod crowds;
mod crushing;
mod flat;
mod floor_velocity;
mod hulls;
mod lifts;
mod lines;
#[path = "../shared/long.rs"]
mod long;
mod meeting;
mod meeting_on_ground;
mod one_way;
mod parts;
mod platforms;
mod pushed_solids;
mod pushing;
mod responses;
mod shaped_tiles;
mod slopes;
mod solid_movers;
mod solids;
mod steps;
mod surfaces;
mod tilting;
