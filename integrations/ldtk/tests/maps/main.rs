//! Maps of LDtk, written by small builders in its documented format, that show every feature.

#[cfg(feature = "asset")]
mod assets;
mod builder;
mod counts;
mod entities;
mod errors;
mod fields;
mod files;
mod helpers;
mod inputs;
mod layouts;
mod lookup;
mod ready;
mod reload;
mod tiles;
mod values;
mod walking;
mod warnings;
