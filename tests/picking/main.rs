//! Picking with the windows and cameras of Bevy, without rendering.

mod cameras;
mod common;
mod events;
mod order;
mod selection;
mod ui;
