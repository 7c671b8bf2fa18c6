//! The parts of the state as they are written to files, in an order that depends on nothing but
//! their content.

use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    colliding_pair::StoredPair,
    pairs::CollidingPairs,
    poses::{PreviousPose, PreviousPoses},
};
use crate::geometry::Contact;

#[derive(Serialize, Deserialize)]
struct SavedPair {
    entities: [Entity; 2],
    keys: [u64; 2],
    contact: Contact,
}

pub(super) fn write_pairs<S: Serializer>(pairs: &CollidingPairs, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(pairs.iter().map(|pair| SavedPair {
        entities: [pair.a, pair.b],
        keys: pair.keys,
        contact: pair.contact,
    }))
}

pub(super) fn read_pairs<'de, D: Deserializer<'de>>(from: D) -> Result<CollidingPairs, D::Error> {
    let saved = Vec::<SavedPair>::deserialize(from)?;
    let pair = |pair: SavedPair| StoredPair::restored(pair.entities, pair.keys, pair.contact);
    Ok(saved.into_iter().map(pair).collect())
}

pub(super) fn write_poses<S: Serializer>(poses: &PreviousPoses, to: S) -> Result<S::Ok, S::Error> {
    let mut sorted: Vec<_> = poses.iter().collect();
    sorted.sort_unstable_by_key(|(entity, previous)| (previous.key, *entity));
    to.collect_seq(sorted)
}

pub(super) fn read_poses<'de, D: Deserializer<'de>>(from: D) -> Result<PreviousPoses, D::Error> {
    let saved = Vec::<(Entity, PreviousPose)>::deserialize(from)?;
    let mut poses = PreviousPoses::default();
    for (entity, pose) in saved {
        poses.insert(entity, pose);
    }
    Ok(poses)
}
