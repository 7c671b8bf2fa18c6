//! What blocks a mover when its move is planned, and how it moves.

use crate::{
    components::MoverResponse,
    geometry::Shape,
    index::{ColliderEntry, MoverRelation, Side, Solidity, are_related, side_of},
    movement::{
        body::{Motion, MoveInput, Walk, overlap_deeply},
        obstacles::{Blockers, MoverStart, WHOLE_UPDATE},
        world::UpdateWorld,
    },
};

impl<'a> UpdateWorld<'a> {
    /// Whether another collider blocks a mover with this collider, which starts with this shape.
    /// Walkers that stand on the mover do not, nor those that pass through it.
    pub fn blocks(&self, entry: &ColliderEntry, shape: &Shape, other: &ColliderEntry) -> bool {
        let is_above = |other| self.riders.is_above(other, entry.entity);
        let is_in_it =
            || other.role.moved_by == MoverRelation::Itself && overlap_deeply(shape, other.shape);
        let passes_through = || {
            let may_pass = entry.role.solidity == Solidity::OneWay && !other.role.is_wall();
            let one_way = || self.index.one_way_wall(entry, Some(self.observer(other)));
            let one_way = may_pass.then(one_way).flatten();
            one_way.is_some_and(|wall| side_of(&wall, shape, other.shape) == Side::Inside)
        };
        entry.is_blocked_by(other)
            && !are_related(entry, other, self.parents)
            && !other.mover().is_some_and(is_above)
            && !is_in_it()
            && !passes_through()
    }

    /// The colliders that block a mover, among those for which `blocks` holds.
    pub fn blockers<'e>(
        &'e self,
        input: &MoveInput,
        entry: &'e ColliderEntry<'e>,
        shape: &'e Shape,
        blocks: &'e dyn Fn(&ColliderEntry) -> bool,
    ) -> Blockers<'e> {
        Blockers {
            index: self.index,
            observer: Some(self.observer(entry)),
            start: MoverStart::of_mover(input, entry, shape),
            during: WHOLE_UPDATE,
            blocks,
        }
    }

    /// Whether a mover that was crushed stays where it is, because it is still deep in a mover or
    /// in what a mover carries.
    pub fn is_held(&self, input: &MoveInput, entry: &ColliderEntry, shape: &Shape) -> bool {
        let mut is_held = false;
        if !input.crusher_range.is_empty() {
            self.index.visit_overlapping(&shape.aabb(), |other| {
                is_held |= !other.role.is_wall()
                    && entry.is_blocked_by(&other)
                    && !are_related(entry, &other, self.parents)
                    && overlap_deeply(shape, other.shape);
            });
        }
        is_held
    }

    /// The desired motion of a mover with this shape, which walks if `walk` is given.
    pub fn motion<'e>(
        &self,
        input: &MoveInput,
        entry: &ColliderEntry,
        shape: &'e Shape,
        walk: Option<Walk>,
    ) -> Motion<'e>
    where
        'a: 'e,
    {
        Motion {
            shape,
            desired: input.desired,
            max_fraction: 1.0,
            response: input.response,
            restitution: input.restitution,
            skin: entry.effective_skin(),
            seconds: self.seconds,
            walk: walk.filter(|_| input.response == MoverResponse::Slide),
            crush_site: self.crush_sites.get(&input.entity()),
            crushers: self.crushers_of(input),
        }
    }
}
