//! Filling the nodes of the tree with boxes.

use bevy::math::{Vec2, bounding::Aabb2d};

use super::{
    super::{Arrangement, EMPTY},
    BoxTree, Level,
    curve::size,
    node::{Home, LANES, Limits, NOTHING, Node, lanes, limits, size_of},
    order::{ABSENT, Order, Origin},
};
use crate::{aabb::grow, parallel};

/// How far a box may be from its home, relative to the home's size, before it gets a new one.
const STRAY: f32 = 0.15;
/// What strayed from a leaf has to leave it at once when the leaf becomes so much larger.
const GROWTH: f32 = 4.0;
/// How many leaves are filled by one thread at a time.
const LEAVES_PER_BLOCK: usize = 512;

/// What is not near its home any more.
#[derive(Default)]
pub(super) struct Strays {
    /// How many boxes have to be sorted in again.
    count: usize,
    /// The spots of those that have to leave at once.
    exiles: Vec<usize>,
}

/// What a leaf's boxes are measured by when they move.
#[derive(Clone, Copy, Default)]
pub(super) struct Residence {
    /// Around the middles of the boxes when they were sorted, and somewhat more.
    pub home: Home,
    /// How large the leaf may become before what strayed from it has to leave it.
    pub largest: f32,
    /// The lanes that wait to be sorted in or dropped: they came, left, or strayed from home.
    pub waiting: u8,
}

/// A leaf that is being filled.
struct Leaf<'a> {
    number: usize,
    node: &'a mut Node,
    bounds: &'a mut Limits,
    residence: &'a mut Residence,
}

impl BoxTree {
    /// Puts the boxes into the leaves from one on, in parallel, and looks which are not near their homes any more. Leaves that were just
    /// sorted get their homes first.
    pub(super) fn fill_leaves<const SORTED: bool>(
        &mut self,
        first: usize,
        items: &impl Arrangement,
    ) {
        let Self {
            order,
            levels,
            residences,
            strays_of_blocks,
            ..
        } = self;
        let Level { nodes, bounds, .. } = &mut levels[0];
        let count = nodes.len() - first;
        strays_of_blocks.resize_with(count.div_ceil(LEAVES_PER_BLOCK), Strays::default);
        let blocks = nodes[first..]
            .chunks_mut(LEAVES_PER_BLOCK)
            .zip(bounds[first..].chunks_mut(LEAVES_PER_BLOCK))
            .zip(residences[first..].chunks_mut(LEAVES_PER_BLOCK))
            .zip(strays_of_blocks.iter_mut())
            .enumerate();
        parallel::for_each(
            count * LANES,
            blocks,
            |(block, (((nodes, bounds), residences), strays))| {
                let numbers = first + block * LEAVES_PER_BLOCK..;
                let leaves = nodes.iter_mut().zip(bounds).zip(residences).zip(numbers);
                for (((node, bounds), residence), number) in leaves {
                    let mut leaf = Leaf {
                        number,
                        node,
                        bounds,
                        residence,
                    };
                    leaf.fill(order, items);
                    if SORTED {
                        leaf.settle(order);
                    }
                    leaf.find_strays(strays);
                }
            },
        );
        for strays in strays_of_blocks {
            self.strays += std::mem::take(&mut strays.count);
            for spot in strays.exiles.drain(..) {
                self.order.exile(spot);
            }
        }
    }

    /// Fits the nodes above the leaves.
    pub(super) fn fill_above(&mut self) {
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            let Level { nodes, bounds, .. } = &mut above[0];
            let children = below[level - 1].bounds.chunks(LANES);
            for (children, (node, bounds)) in children.zip(nodes.iter_mut().zip(bounds)) {
                let mut rows = [NOTHING; LANES];
                rows[..children.len()].copy_from_slice(children);
                (*node, *bounds) = Node::of(&rows);
            }
        }
    }
}

impl Leaf<'_> {
    /// The places of its boxes.
    fn places<'a>(&self, order: &'a Order) -> &'a [u32] {
        let places = &order.places[self.number * LANES..];
        &places[..places.len().min(LANES)]
    }

    #[inline]
    fn fill(&mut self, order: &Order, items: &impl Arrangement) {
        let mut rows = [NOTHING; LANES];
        for (row, &place) in rows.iter_mut().zip(self.places(order)) {
            if place != ABSENT {
                *row = limits(&items.aabb(place as usize));
            }
        }
        (*self.node, *self.bounds) = Node::of(&rows);
    }

    /// Makes a home of where its boxes were sorted in.
    fn settle(&mut self, order: &Order) {
        let places = self.places(order).iter();
        let origins = places.zip(&order.origins[self.number * LANES..]);
        let origins = origins.take_while(|(place, _)| **place != ABSENT);
        let size_of_first = size_of(self.node.get(0));
        self.residence.home = home_of(origins.map(|(_, origin)| origin), size_of_first);
        self.residence.largest = GROWTH * size_of(*self.bounds);
    }

    /// Notes which boxes are not near home any more. If they make the leaf much larger they have to leave.
    fn find_strays(&mut self, strays: &mut Strays) {
        // What is not there is away, too.
        let away = self.node.away_from(&self.residence.home);
        strays.count += (away & !u32::from(self.residence.waiting)).count_ones() as usize;
        self.residence.waiting |= away as u8;
        if size_of(*self.bounds) > self.residence.largest {
            for lane in lanes(away) {
                if self.node.get(lane) != NOTHING {
                    strays.exiles.push(self.number * LANES + lane);
                    self.node.set(lane, NOTHING);
                }
            }
            *self.bounds = self.node.bounds();
        }
    }
}

/// A home for boxes that were sorted in there, the first of which is so large.
fn home_of<'a>(origins: impl Iterator<Item = &'a Origin>, size_of_first: f32) -> Home {
    let around = origins.fold(EMPTY, |around, origin| Aabb2d {
        min: Vec2::min(around.min, origin.middle),
        max: Vec2::max(around.max, origin.middle),
    });
    Home::around(&grow(&around, STRAY * (size(&around) + size_of_first)))
}
