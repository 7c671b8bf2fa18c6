//! Random operations on a world, against a plain and slow model of all that the plugin promises.

mod app;
mod machine;
mod moves;
mod one_way;
mod operation;
mod outline;
mod pending;
mod rules;
mod synced;
mod update;
