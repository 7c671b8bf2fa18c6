//! The plugin in an app: what one types first, schedules, pauses, resets of a game, reflection,
//! interpolated rendering.

mod first_guesses;
mod level_resets;
mod pauses;
mod reflection;
mod schedules;
