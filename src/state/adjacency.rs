//! The pairs of each entity, as linked lists through the pairs of all entities.

use std::num::NonZeroU32;

use bevy::ecs::entity::{Entity, EntityHashMap};

/// For each entity a doubly linked list of its pairs, in no order: adding or removing a pair takes
/// constant time, and no memory of its own. (The contact graph of Box2D, `src/contact.c`.)
#[derive(Default)]
pub(super) struct Adjacency {
    /// The first half-edge of each entity that has any.
    first: EntityHashMap<HalfEdge>,
    /// By half-edge.
    links: Vec<Links>,
}

/// A pair as seen from one of its entities: each pair has two half-edges.
#[derive(Clone, Copy)]
struct HalfEdge(NonZeroU32);

/// The neighbors of a half-edge in the list of its entity.
#[derive(Clone, Copy, Default)]
struct Links {
    previous: Option<HalfEdge>,
    next: Option<HalfEdge>,
}

impl HalfEdge {
    fn of(pair: usize, side: usize) -> Self {
        // Not zero, so that `Option<HalfEdge>` takes four bytes.
        Self(NonZeroU32::MIN.saturating_add((2 * pair + side) as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The index of the pair.
    fn pair(self) -> usize {
        self.index() / 2
    }
}

impl Adjacency {
    pub fn clear(&mut self) {
        self.first.clear();
        self.links.clear();
    }

    /// The indices of the pairs of an entity, in no order.
    pub fn pairs_of(&self, entity: Entity) -> impl Iterator<Item = usize> {
        let next = |half_edge: &HalfEdge| self.links[half_edge.index()].next;
        std::iter::successors(self.first.get(&entity).copied(), next).map(HalfEdge::pair)
    }

    /// Adds a pair of two entities. Their order has to stay the same.
    pub fn insert(&mut self, pair: usize, entities: [Entity; 2]) {
        if self.links.len() < 2 * pair + 2 {
            self.links.resize(2 * pair + 2, Links::default());
        }
        for (side, entity) in entities.into_iter().enumerate() {
            let half_edge = HalfEdge::of(pair, side);
            let next = self.first.insert(entity, half_edge);
            self.links[half_edge.index()] = Links {
                previous: None,
                next,
            };
            self.set_previous(next, Some(half_edge));
        }
    }

    /// Removes a pair of two entities.
    pub fn remove(&mut self, pair: usize, entities: [Entity; 2]) {
        for (side, entity) in entities.into_iter().enumerate() {
            let Links { previous, next } = self.links[HalfEdge::of(pair, side).index()];
            self.set_next(previous, entity, next);
            self.set_previous(next, previous);
        }
    }

    /// Sets what comes after a half-edge of an entity, or first if there is none before.
    fn set_next(&mut self, half_edge: Option<HalfEdge>, entity: Entity, next: Option<HalfEdge>) {
        match (half_edge, next) {
            (Some(half_edge), _) => self.links[half_edge.index()].next = next,
            (None, Some(next)) => {
                self.first.insert(entity, next);
            }
            (None, None) => {
                self.first.remove(&entity);
            }
        }
    }

    fn set_previous(&mut self, half_edge: Option<HalfEdge>, previous: Option<HalfEdge>) {
        if let Some(half_edge) = half_edge {
            self.links[half_edge.index()].previous = previous;
        }
    }
}
