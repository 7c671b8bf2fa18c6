//! What movement is made of, each part by itself.

mod relax;
