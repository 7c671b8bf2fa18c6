//! Against an oracle: an independent library, in double precision.

mod casts;
mod outlines;
mod pairs;
mod reference;
mod test_shape;
