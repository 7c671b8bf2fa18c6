//! Head-on swaps: solid movers so fast that they would swap places within one update.

use bevy::prelude::*;

use crate::{
    aabb::{Aabb2d, merge},
    broad_phase::NumberedBox,
    geometry::{Shape, separation},
    index::{ColliderEntry, ColliderIndex, MovingCollider, Waypoint, are_related, time_of_impact},
    movement::{
        body::{MovePlan, Riders, size_of},
        neighbors::Neighbors,
        obstacles::pass_through,
        tolerances::{SWAP_DEPTH_SIZES, SWAP_TRAVEL_SIZES},
        world::UpdateWorld,
        world_order::by_world,
    },
};

/// Finds the movers that would swap places. Keeps its buffers.
#[derive(Default)]
pub(crate) struct Swaps {
    /// Around the paths of solid movers, by the numbers of their plans.
    boxes: Vec<NumberedBox>,
    neighbors: Neighbors,
    /// The plans that may swap.
    pairs: Vec<[u32; 2]>,
    swaps: Vec<Swap>,
}

/// Two movers that would swap places.
#[derive(Clone, Copy)]
struct Swap {
    /// The fraction of the update at which they collide.
    fraction: f32,
    /// The numbers of their plans.
    pair: [u32; 2],
    /// The fractions at which their paths ended when the swap was found.
    max_fractions: [f32; 2],
}

impl Swaps {
    /// Finds all swaps.
    pub fn find(&mut self, world: &UpdateWorld, plans: &[MovePlan], paths: &[Waypoint]) {
        self.pairs.clear();
        self.swaps.clear();
        if plans.iter().any(|plan| is_fast(plan, paths, world.index)) {
            self.find_pairs(world, plans, paths);
            self.find_again(plans, paths, world.index, |_| true);
        }
    }

    fn find_pairs(&mut self, world: &UpdateWorld, plans: &[MovePlan], paths: &[Waypoint]) {
        self.boxes.clear();
        for (number, plan) in (0..).zip(plans) {
            if let Some(entry) = plan
                .entry(world.index)
                .filter(|entry| entry.role.is_solid())
            {
                let aabb = swept_box(plan.shape(&entry), plan.course().path(paths));
                self.boxes.push(NumberedBox { number, aabb });
            }
        }
        self.neighbors.find(&self.boxes);
        // The order of the two affects rounding.
        let found = (self.neighbors.found().iter()).map(|&(i, j)| {
            let shapes = [i, j].map(|number| plans[number as usize].entry(world.index));
            match shapes.map(|entry| entry.map(|entry| entry.shape)) {
                [Some(p), Some(q)] if by_world(p, q).then(i.cmp(&j)).is_gt() => [j, i],
                _ => [i, j],
            }
        });
        self.pairs.extend(found.filter(|pair| {
            let both = pair.map(|number| &plans[number as usize]);
            both.into_iter()
                .any(|plan| is_fast(plan, paths, world.index))
                && block_each_other(both, world)
                && !are_stacked(both, world.riders)
        }));
    }

    /// Finds the swaps again, among the pairs with at least one path that `is_shortened`.
    pub fn find_again(
        &mut self,
        plans: &[MovePlan],
        paths: &[Waypoint],
        index: &ColliderIndex,
        is_shortened: impl Fn(u32) -> bool,
    ) {
        self.swaps.clear();
        let pairs = self.pairs.iter().copied();
        let pairs = pairs.filter(|pair| pair.iter().any(|&number| is_shortened(number)));
        self.swaps.extend(pairs.filter_map(|pair| {
            let both = pair.map(|number| &plans[number as usize]);
            Some(Swap {
                fraction: swap_fraction(both, paths, index)?,
                pair,
                max_fractions: both.map(|plan| plan.bodies.max_fraction),
            })
        }));
    }

    /// Ends the paths of movers that swap at the fraction at which they collide, earliest first.
    /// `shortened` receives the numbers of plans to make again.
    pub fn shorten_paths(&mut self, plans: &mut [MovePlan], shortened: &mut Vec<u32>) {
        shortened.clear();
        (self.swaps)
            .sort_unstable_by(|p, q| (p.fraction.total_cmp(&q.fraction)).then(p.pair.cmp(&q.pair)));
        for swap in &self.swaps {
            if swap.is_obsolete(plans) {
                continue;
            }
            for number in swap.pair {
                let bodies = &mut plans[number as usize].bodies;
                if swap.fraction < bodies.max_fraction {
                    bodies.max_fraction = swap.fraction;
                    shortened.push(number);
                }
            }
        }
        shortened.sort_unstable();
        shortened.dedup();
    }
}

impl Swap {
    /// Whether an earlier swap shortened one of the two paths, so that the two may not get this
    /// far.
    fn is_obsolete(&self, plans: &[MovePlan]) -> bool {
        let mut both = self.pair.into_iter().zip(self.max_fractions);
        both.any(|(number, max_fraction)| {
            let now = plans[number as usize].bodies.max_fraction;
            now < max_fraction && now < self.fraction
        })
    }
}

/// Whether a mover is solid and gets far from its start, relative to its size.
fn is_fast(plan: &MovePlan, paths: &[Waypoint], index: &ColliderIndex) -> bool {
    let solid = plan.entry(index).filter(|entry| entry.role.is_solid());
    solid.is_some_and(|entry| {
        let far = SWAP_TRAVEL_SIZES * size_of(plan.shape(&entry));
        let mut path = plan.course().path(paths).iter();
        path.any(|waypoint| waypoint.offset.length() > far)
    })
}

/// The box around all positions of a shape on its path.
fn swept_box(shape: &Shape, path: &[Waypoint]) -> Aabb2d {
    path.iter().fold(shape.aabb(), |aabb, waypoint| {
        merge(&aabb, &shape.translated(waypoint.offset).aabb())
    })
}

/// Whether one of two movers stands on the other, and moves along with it.
fn are_stacked([p, q]: [&MovePlan; 2], riders: &Riders) -> bool {
    riders.is_above(p.entity(), q.entity()) || riders.is_above(q.entity(), p.entity())
}

/// Whether two movers block each other, and do not touch at the start: then they cannot swap.
fn block_each_other([p, q]: [&MovePlan; 2], world: &UpdateWorld) -> bool {
    let (Some(a), Some(b)) = (p.entry(world.index), q.entry(world.index)) else {
        return false;
    };
    a.is_blocked_by(&b)
        && b.is_blocked_by(&a)
        && !pass_through([(&a, p), (&b, q)], world)
        && !are_related(&a, &b, world.parents)
        && separation(p.shape(&a), q.shape(&b)).distance > 2.0 * skin_between(&a, &b)
}

/// The fraction of the update at which two movers collide, or `None` if they do not end up past
/// each other, or nearly so.
fn swap_fraction([p, q]: [&MovePlan; 2], paths: &[Waypoint], index: &ColliderIndex) -> Option<f32> {
    let (mut a, mut b) = (p.entry(index)?, q.entry(index)?);
    let skin = skin_between(&a, &b);
    let shapes = [p.shape(&a), q.shape(&b)];
    [a.shape, b.shape] = shapes;
    let [first, second] = [(a, p), (b, q)].map(|(collider, plan)| MovingCollider {
        collider,
        path: plan.course().path(paths),
    });
    let impact = time_of_impact(first, second, skin)?;
    let ends = [(shapes[0], p), (shapes[1], q)]
        .map(|(shape, plan)| shape.translated(plan.course().displacement));
    let end = separation(&ends[0], &ends[1]);
    let shallow = -SWAP_DEPTH_SIZES * size_of(shapes[0]).min(size_of(shapes[1]));
    let stay_before_each_other = (shallow..skin).contains(&end.distance)
        && (ends[1].center() - ends[0].center()).dot(impact.contact.normal) > 0.0;
    (!stay_before_each_other).then_some(impact.fraction)
}

fn skin_between(a: &ColliderEntry, b: &ColliderEntry) -> f32 {
    a.effective_skin().max(b.effective_skin())
}
