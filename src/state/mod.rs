//! What the next update depends on beyond the components of the world.

mod colliding_pair;
mod hash;
mod pair_store;
mod pairs;
mod poses;
mod resource;
#[cfg(feature = "serialize")]
mod saved;

pub use colliding_pair::CollidingPair;
pub(crate) use colliding_pair::{StoredPair, by_id};
pub use hash::CollisionStateHashes;
pub(crate) use hash::hash_of_shapes;
pub(crate) use pair_store::PairStore;
pub(crate) use pairs::CollidingPairs;
pub(crate) use poses::{Ancestor, Ancestors, PreviousPose, PreviousPoses};
pub use resource::CollisionState;
pub(crate) use resource::Revision;
