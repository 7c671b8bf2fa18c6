//! A hash of all that the next step depends on, to compare machines by.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::duel::state::{Bullet, Fighter, Match};

type Body = (
    &'static StableKey,
    &'static Transform,
    Option<&'static Mover>,
    Option<&'static Fighter>,
    Option<&'static Bullet>,
);

/// Hashes the state of collisions and of the game, in an order that depends on no entity's id.
pub fn of_step(collisions: Res<CollisionState>, game: Res<Match>, bodies: Query<Body>) -> u64 {
    let mut hasher = DefaultHasher::new();
    collisions.hash().hash(&mut hasher);
    game.hash(&mut hasher);
    let mut bodies: Vec<_> = bodies.iter().collect();
    bodies.sort_unstable_by_key(|(key, ..)| **key);
    for (key, transform, mover, fighter, bullet) in bodies {
        key.hash(&mut hasher);
        hash_vector(transform.translation.xy(), &mut hasher);
        if let Some(mover) = mover {
            hash_vector(mover.velocity, &mut hasher);
        }
        (fighter, bullet).hash(&mut hasher);
    }
    hasher.finish()
}

fn hash_vector(vector: Vec2, hasher: &mut DefaultHasher) {
    vector.to_array().map(f32::to_bits).hash(hasher);
}
