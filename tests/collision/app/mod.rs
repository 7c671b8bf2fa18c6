//! The plugin in an app: schedules, pauses, resets of a game, reflection, interpolated
//! rendering.

mod level_resets;
mod pauses;
mod reflection;
mod schedules;
