//! What entities say about their colliders, row by row of Bevy's tables.

use std::ops::Range;

use bevy::{
    ecs::query::{ContiguousQueryData, QueryItem},
    math::Affine3A,
    prelude::*,
};

use super::{
    Body, ColliderIndex, ColliderRole, ColliderTraits, Family, Lineage, Registration, Solidity,
    colliders::ColliderRecord, family::LastAncestry, moved::MovedColliders,
};
use crate::{
    collider::{CollisionLayers, LayerMask, LocalShape, OneWay, Solid, Swept},
    column::{Column, ROWS_PER_GROUP},
    geometry::{Shape, pose_from_scale_rotation_translation, world_pose},
    hierarchy::ParentCycle,
    memory,
    movement::Mover,
};

/// What is read of an entity, but for its [`Registration`].
pub(super) type Statement = (
    Entity,
    Ref<'static, LocalShape>,
    Ref<'static, Transform>,
    Option<Ref<'static, CollisionLayers>>,
    Option<Ref<'static, Mover>>,
    Option<&'static ChildOf>,
    Option<Ref<'static, Swept>>,
    Option<Ref<'static, OneWay>>,
    Has<Solid>,
);

/// What was found out about some rows.
#[derive(Default)]
pub(crate) struct Findings {
    pub(super) moved: MovedColliders,
    /// The slots of movers and of what they carry.
    pub carried: Vec<u32>,
    /// The entities about which more may be new than where they are.
    pub others: Vec<Entity>,
    /// How many rows there were without the others.
    pub known: usize,
    ancestry: LastAncestry,
}

impl Findings {
    pub fn clear(&mut self) {
        self.moved.clear();
        memory::clear(&mut self.carried);
        memory::clear(&mut self.others);
        self.known = 0;
        self.ancestry = LastAncestry::default();
    }
}

/// What an entity says about its collider.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    pub entity: Entity,
    pub registration: &'a Registration,
    pub local: &'a LocalShape,
    transform: &'a Transform,
    layers: Option<&'a CollisionLayers>,
    pub mover: Option<&'a Mover>,
    parent: Option<&'a ChildOf>,
    one_way: Option<&'a OneWay>,
    pub traits: ColliderTraits,
    /// How it came to where it is does not count as its way.
    pub begins_anew: bool,
    /// Its shape may be another one than in the last run, or elsewhere.
    is_moved: bool,
    /// Its layers, or what it says as a wall, may differ.
    is_recast: bool,
    /// What it says as a mover may differ.
    is_steered: bool,
}

impl<'a> Row<'a> {
    pub fn of(registration: &'a Registration, statement: QueryItem<'a, '_, Statement>) -> Self {
        let (entity, local, transform, layers, mover, parent, swept, one_way, solid) = statement;
        Self {
            entity,
            registration,
            traits: ColliderTraits::of([
                (ColliderTraits::SOLID, solid),
                (ColliderTraits::MOVER, mover.is_some()),
                (ColliderTraits::PARENT, parent.is_some()),
                (ColliderTraits::LAYERS, layers.is_some()),
                (ColliderTraits::SWEPT, swept.is_some()),
                (ColliderTraits::ONE_WAY, one_way.is_some()),
            ]),
            begins_anew: swept.as_ref().is_some_and(Ref::is_changed)
                || one_way.as_ref().is_some_and(Ref::is_added),
            is_moved: local.is_changed() || transform.is_changed(),
            is_recast: layers.as_ref().is_some_and(Ref::is_changed)
                || one_way.as_ref().is_some_and(Ref::is_changed),
            is_steered: mover.as_ref().is_some_and(Ref::is_changed),
            local: local.into_inner(),
            transform: transform.into_inner(),
            layers: layers.map(Ref::into_inner),
            mover: mover.map(Ref::into_inner),
            parent,
            one_way: one_way.map(Ref::into_inner),
        }
    }

    /// Notes where the collider is now, or that there may be more to say.
    #[inline(always)]
    pub fn review(&self, index: &ColliderIndex, family: &Family, findings: &mut Findings) {
        let Some(place) = self.known_place(index) else {
            return findings.others.push(self.entity);
        };
        let mut is_carried = self.mover.is_some();
        if self.parent.is_some() || self.is_moved {
            if self.traits.has_any(ColliderTraits::TRACKED) {
                return findings.others.push(self.entity);
            }
            let shape = if self.parent.is_some() {
                self.shape_in_family(index, family, findings, &mut is_carried)
            } else {
                self.shape_of_root()
            };
            match shape {
                Some(shape) if shape.is_finite() => findings.moved.push(place, shape),
                _ => return findings.others.push(self.entity),
            }
        }
        findings.known += 1;
        if is_carried {
            findings.carried.push(self.registration.key.slot);
        }
    }

    /// The place of the collider, if nothing but its shape and its ancestors may be new.
    #[inline(always)]
    fn known_place(&self, index: &ColliderIndex) -> Option<usize> {
        if self.is_recast || self.registration.traits != self.traits {
            return None;
        }
        let place = index.colliders.slots.place_of(self.registration.key)?;
        // The velocities of movers change in most runs, and all else about them seldom does.
        let is_same = !self.is_steered || self.is_mover_like(&index.colliders.records[place]);
        is_same.then_some(place)
    }

    /// Whether it says of itself as a mover what is known.
    fn is_mover_like(&self, known: &ColliderRecord) -> bool {
        self.mover.is_some_and(|mover| {
            known.role.blocked_by == mover.effective_blocked_by()
                && known.skin == mover.valid_skin()
                && self.registration.passes == mover.passes()
        })
    }

    #[inline(always)]
    fn shape_of_root(&self) -> Option<Shape> {
        root_shape(self.local, self.transform)
    }

    /// None, if the ancestors are others. Says if a mover is among them.
    fn shape_in_family(
        &self,
        index: &ColliderIndex,
        family: &Family,
        findings: &mut Findings,
        is_carried: &mut bool,
    ) -> Option<Shape> {
        let parent = self.parent.map(ChildOf::parent);
        let ancestry = family.ancestry_after(parent, &mut findings.ancestry).ok()?;
        let lineage = ancestry.lineage_of(self.entity, self.mover.is_some());
        if index.lineages.get(self.registration.key.slot) != Some(&lineage) {
            return None;
        }
        *is_carried = lineage.mover.is_some();
        self.shape_at(&ancestry.pose_of(self.transform))
    }

    /// The direction that a one-way wall leaves free, in world space; zero, if it is none.
    pub fn free_direction(&self, pose: &Affine3A) -> Vec2 {
        let direction = self.one_way.map_or(Vec2::ZERO, |one_way| *one_way.0);
        (world_pose(pose).matrix2 * direction).normalize_or_zero()
    }

    /// The shape in world space.
    pub fn shape_at(&self, pose: &Affine3A) -> Option<Shape> {
        Some(self.local.shape.as_ref()?.transformed(&world_pose(pose)))
    }

    pub fn pose_and_lineage(&self, family: &Family) -> Result<(Affine3A, Lineage), ParentCycle> {
        let ancestry = family.ancestry(self.parent.map(ChildOf::parent))?;
        let lineage = ancestry.lineage_of(self.entity, self.mover.is_some());
        Ok((ancestry.pose_of(self.transform), lineage))
    }

    pub fn role(&self, body: Body) -> ColliderRole {
        ColliderRole {
            layers: self.layers.copied().unwrap_or_default(),
            blocked_by: self
                .mover
                .map_or(LayerMask::NONE, Mover::effective_blocked_by),
            solidity: self.solidity(),
            has_parent: self.parent.is_some(),
            body,
            is_swept: body == Body::Itself || self.traits.has_any(ColliderTraits::SWEPT),
        }
    }

    fn solidity(&self) -> Solidity {
        if !self.traits.has_any(ColliderTraits::SOLID) {
            Solidity::None
        } else if self.one_way.is_some() {
            Solidity::OneWay
        } else {
            Solidity::Full
        }
    }
}

/// The shape in world space of what has no parent.
#[inline(always)]
pub(super) fn root_shape(local: &LocalShape, transform: &Transform) -> Option<Shape> {
    let &Transform {
        translation,
        rotation,
        scale,
    } = transform;
    let pose = pose_from_scale_rotation_translation(scale, rotation, translation);
    Some(local.shape.as_ref()?.transformed(&pose))
}

/// The rows of a table of Bevy's.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    entities: &'a [Entity],
    registrations: &'a [Registration],
    locals: Column<'a, LocalShape>,
    transforms: Column<'a, Transform>,
    layers: Option<Column<'a, CollisionLayers>>,
    movers: Option<Column<'a, Mover>>,
    parents: Option<&'a [ChildOf]>,
    swept: Option<Column<'a, Swept>>,
    one_ways: Option<Column<'a, OneWay>>,
    traits: ColliderTraits,
}

/// How many rows are reviewed by one thread at a time.
const ROWS_PER_PART: usize = 8192;

impl<'a> Table<'a> {
    pub fn of(
        registrations: &'a [Registration],
        statements: <Statement as ContiguousQueryData>::Contiguous<'a, '_>,
    ) -> Self {
        let (entities, locals, transforms, layers, movers, parents, swept, one_ways, solid) =
            statements;
        Self {
            entities,
            registrations,
            locals: Column::of(locals),
            transforms: Column::of(transforms),
            traits: ColliderTraits::of([
                (ColliderTraits::SOLID, solid),
                (ColliderTraits::MOVER, movers.is_some()),
                (ColliderTraits::PARENT, parents.is_some()),
                (ColliderTraits::LAYERS, layers.is_some()),
                (ColliderTraits::SWEPT, swept.is_some()),
                (ColliderTraits::ONE_WAY, one_ways.is_some()),
            ]),
            layers: layers.map(Column::of),
            movers: movers.map(Column::of),
            parents,
            swept: swept.map(Column::of),
            one_ways: one_ways.map(Column::of),
        }
    }

    /// The number of its rows.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Parts of the table, each for one thread.
    pub fn parts(self) -> impl Iterator<Item = (Self, Range<usize>)> {
        let count = self.len();
        (0..count)
            .step_by(ROWS_PER_PART)
            .map(move |start| (self, start..count.min(start + ROWS_PER_PART)))
    }

    /// Reviews some of the rows. That they lie side by side makes this faster than asking for each entity.
    pub fn review(
        &self,
        rows: Range<usize>,
        index: &ColliderIndex,
        family: &Family,
        findings: &mut Findings,
    ) {
        let rests_in_groups = self.movers.is_none() && self.parents.is_none();
        for start in rows.clone().step_by(ROWS_PER_GROUP) {
            let group = start..rows.end.min(start + ROWS_PER_GROUP);
            if rests_in_groups && self.all_rest(group.clone(), index) {
                findings.known += group.len();
            } else {
                group.for_each(|row| self.row(row).review(index, family, findings));
            }
        }
    }

    /// Whether nothing about some roots is new.
    #[inline]
    fn all_rest(&self, rows: Range<usize>, index: &ColliderIndex) -> bool {
        !(self.transforms.any_changed(rows.clone())
            || self.locals.any_changed(rows.clone())
            || (self.layers).is_some_and(|layers| layers.any_changed(rows.clone()))
            || (self.one_ways).is_some_and(|one_ways| one_ways.any_changed(rows.clone())))
            && self.registrations[rows].iter().all(|registration| {
                registration.traits == self.traits && index.colliders.slots.has(registration.key)
            })
    }

    #[inline(always)]
    fn row(&self, row: usize) -> Row<'a> {
        let Self {
            locals,
            transforms,
            layers,
            movers,
            swept,
            one_ways,
            ..
        } = self;
        Row {
            entity: self.entities[row],
            registration: &self.registrations[row],
            is_moved: locals.is_changed(row) || transforms.is_changed(row),
            is_recast: layers.is_some_and(|layers| layers.is_changed(row))
                || one_ways.is_some_and(|one_ways| one_ways.is_changed(row)),
            is_steered: movers.is_some_and(|movers| movers.is_changed(row)),
            begins_anew: swept.is_some_and(|swept| swept.is_changed(row)),
            local: &locals.values[row],
            transform: &transforms.values[row],
            layers: layers.map(|layers| &layers.values[row]),
            mover: movers.map(|movers| &movers.values[row]),
            parent: self.parents.map(|parents| &parents[row]),
            one_way: one_ways.map(|one_ways| &one_ways.values[row]),
            traits: self.traits,
        }
    }
}
