//! The plugin in an app: schedules, run conditions, resets of a game, reflection, interpolated
//! rendering.

mod gates;
mod level_resets;
mod reflection;
mod schedules;
