//! What the plan of a mover depends on.

use crate::{
    components::MoverResponse,
    geometry::Shape,
    index::{ColliderEntry, MoverRelation, are_related},
    movement::{
        body::{Motion, MovePlan, Walk, overlap_deeply},
        obstacles::{Blockers, Blocks, MoverStart},
        support::Riders,
        world::UpdateWorld,
    },
};

/// What the plan of a mover depends on.
pub(crate) struct PlanWorld<'a> {
    pub update: UpdateWorld<'a>,
    pub riders: &'a Riders,
}

impl<'a> PlanWorld<'a> {
    pub fn new(update: &UpdateWorld<'a>, riders: &'a Riders) -> Self {
        Self {
            update: *update,
            riders,
        }
    }

    /// Whether a collider blocks the mover of a plan. Walkers that stand on the mover do not.
    fn blocks(&self, plan: &MovePlan, entry: &ColliderEntry, other: &ColliderEntry) -> bool {
        let is_above = |mover| self.riders.is_above(mover, plan.entity);
        let is_in_it = || {
            other.role.moved_by == MoverRelation::Itself
                && overlap_deeply(plan.shape(entry), other.shape)
        };
        entry.is_blocked_by(other)
            && !are_related(entry, other, self.update.parents)
            && !other.mover().is_some_and(is_above)
            && !is_in_it()
    }

    /// The colliders that block the mover of a plan.
    pub fn blockers<'e>(
        &'e self,
        plan: &'e MovePlan,
        entry: &'e ColliderEntry<'e>,
    ) -> Blockers<'e, impl Blocks + Copy> {
        Blockers {
            index: self.update.index,
            observer: Some(self.update.observer(entry)),
            start: MoverStart::of_plan(plan, entry),
            blocks: |other: &ColliderEntry| self.blocks(plan, entry, other),
        }
    }

    /// Whether a mover that was crushed stays where it is, because it is still deep in a mover or
    /// in what a mover carries.
    pub fn is_held(&self, plan: &MovePlan, entry: &ColliderEntry) -> bool {
        let index = self.update.index;
        let mut is_held = false;
        if !plan.crusher_range.is_empty() {
            index.visit_overlapping(&plan.shape(entry).aabb(), |other| {
                is_held |= !other.role.is_wall()
                    && entry.is_blocked_by(&other)
                    && !are_related(entry, &other, self.update.parents)
                    && overlap_deeply(plan.shape(entry), other.shape);
            });
        }
        is_held
    }

    /// The planned motion of a shape, which walks if `walk` is given.
    pub fn motion<'e>(
        &self,
        plan: &MovePlan,
        entry: &ColliderEntry,
        shape: &'e Shape,
        walk: Option<Walk>,
    ) -> Motion<'e>
    where
        'a: 'e,
    {
        Motion {
            shape,
            desired: plan.desired,
            max_fraction: plan.own_max_fraction(),
            response: plan.response,
            restitution: plan.restitution,
            skin: entry.effective_skin(),
            seconds: self.update.seconds,
            walk: walk.filter(|_| plan.response == MoverResponse::Slide),
            crush_site: plan.crush_site,
            crushers: self.update.crushers_of(plan),
        }
    }
}
