//! Random operations on a world, against a plain and slow model of all that the plugin promises.

mod app;
mod machine;
mod operation;
mod outline;
mod rules;
