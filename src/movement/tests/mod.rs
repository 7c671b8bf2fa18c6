//! What movement is made of, each part by itself.

mod neighbors;
mod push;
mod relax;
