//! The parts of the state as they are written to files, in an order that depends on nothing but
//! their content.

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serializer};

use super::{
    colliding_pair::StoredPair,
    pairs::CollidingPairs,
    poses::{PreviousPose, PreviousPoses},
};
pub(super) fn write_pairs<S: Serializer>(pairs: &CollidingPairs, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(pairs.sorted())
}

pub(super) fn read_pairs<'de, D: Deserializer<'de>>(from: D) -> Result<CollidingPairs, D::Error> {
    Ok(Vec::<StoredPair>::deserialize(from)?.into_iter().collect())
}

pub(super) fn write_poses<S: Serializer>(poses: &PreviousPoses, to: S) -> Result<S::Ok, S::Error> {
    let mut sorted: Vec<_> = poses.iter().collect();
    sorted.sort_unstable_by_key(|(entity, previous)| (previous.key, **entity));
    to.collect_seq(sorted)
}

pub(super) fn read_poses<'de, D: Deserializer<'de>>(from: D) -> Result<PreviousPoses, D::Error> {
    let saved = Vec::<(Entity, PreviousPose)>::deserialize(from)?;
    Ok(saved.into_iter().collect())
}
