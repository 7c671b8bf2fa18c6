//! A tree of boxes along a Hilbert curve. (Kamel and Faloutsos, "On Packing R-trees", 1993.)
//!
//! Every eight consecutive boxes make a leaf, every eight leaves a node, and so on up to the root.
//! When boxes move, the bounds are refitted. They are sorted again when many have left the fat
//! bounds of their leaf, when there are far more or fewer than the curve was laid out for, or when
//! one is outside of it.

mod best_first;
mod hilbert;
mod join;
mod leaf;
mod node;
mod order;
mod query_pairs;
mod refit;
mod tree;
mod update;

pub(crate) use join::PairSearch;
pub(crate) use tree::BoxTree;
