//! Bringing the index up to date with the world.

use bevy::{
    ecs::{name::NameOrEntity, system::NonSendMarker},
    prelude::*,
};
use log::warn;

use super::{
    Body, ColliderIndex, ColliderTraits, Family, Flaw, Registration, SlotKey, Solidity,
    rows::{Findings, Row, Statement, Table},
};
use crate::{
    components::{ColliderDisabled, Mover},
    geometry::Shape,
    memory, parallel,
    settings::CollisionSettings,
};

pub(super) type Colliders<'w, 's> =
    Query<'w, 's, (&'static mut Registration, Statement), Without<ColliderDisabled>>;
pub(super) type Names<'w, 's> = Query<'w, 's, NameOrEntity>;

/// The system that brings the index up to date. Shapes are read before it.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SyncIndex;

/// Takes in every collider that is new or has changed, and drops those that are gone, disabled or not finite.
///
/// It runs on the main thread, as finding the pairs does, to have that thread's help.
pub(crate) fn sync_colliders(
    mut index: ResMut<ColliderIndex>,
    mut colliders: Colliders,
    family: Family,
    names: Names,
    settings: Res<CollisionSettings>,
    mut buffers: Local<Buffers>,
    _on_main_thread: NonSendMarker,
) {
    index.begin_run();
    buffers.sync(&mut index, &mut colliders, &family, &names);
    index.news.clear();
    if settings.is_changed() {
        index.mark_all();
    }
    index.refresh(&settings);
}

/// Lists that are filled anew in each run.
#[derive(Default)]
pub(crate) struct Buffers {
    findings: Vec<Findings>,
    /// The entities about which more may be new than where they are.
    others: Vec<Entity>,
}

impl Buffers {
    /// Takes in all that the world says, but for the broad phase.
    pub(super) fn sync(
        &mut self,
        index: &mut ColliderIndex,
        colliders: &mut Colliders,
        family: &Family,
        names: &Names,
    ) {
        self.review(colliders, index, family);
        self.take_in(index);
        for &entity in &self.others {
            if let Ok((mut registration, statement)) = colliders.get_mut(entity) {
                let row = Row::of(&registration, statement);
                *registration = sync_all(&row, index, family, names);
            }
        }
        if index.seen < index.count() {
            index.remove_unseen(colliders.iter().map(|(registration, _)| registration.key));
        }
    }

    /// Reviews what all entities say about their colliders, in parallel.
    fn review(&mut self, colliders: &Colliders, index: &ColliderIndex, family: &Family) {
        let tables = || {
            let tables = colliders.contiguous_iter().ok()?;
            Some(tables.map(|(registrations, statements)| Table::of(registrations, statements)))
        };
        if let (Some(counted), Some(tables)) = (tables(), tables()) {
            let (mut rows, mut parts) = (0, 0);
            for table in counted {
                rows += table.len();
                parts += table.parts().count();
            }
            self.findings.resize_with(parts, Findings::default);
            let parts = tables.flat_map(Table::parts).zip(&mut self.findings);
            parallel::for_each(rows, parts, |((table, rows), findings)| {
                table.review(rows, index, family, findings);
            });
        } else {
            // A component that hides entities from queries is not kept in tables.
            self.findings.resize_with(1, Findings::default);
            for (registration, statement) in colliders {
                Row::of(registration, statement).review(index, family, &mut self.findings[0]);
            }
        }
    }

    /// Takes in where all known colliders are; lists the entities about which more may be new.
    fn take_in(&mut self, index: &mut ColliderIndex) {
        memory::clear(&mut self.others);
        index.take_in(self.findings.iter().map(|findings| &findings.moved));
        for findings in &mut self.findings {
            index.seen += findings.known;
            index.carried.extend_from_slice(&findings.carried);
            self.others.extend_from_slice(&findings.others);
            findings.clear();
        }
    }
}

/// Takes in everything that is known of a collider.
fn sync_all(row: &Row, index: &mut ColliderIndex, family: &Family, names: &Names) -> Registration {
    if row.local.shape.is_none() {
        return leave(row, index);
    }
    let Ok((pose, lineage)) = row.pose_and_lineage(family) else {
        return invalidate(row, index, names, Flaw::ParentCycle);
    };
    let Some(shape) = row.shape_at(&pose).filter(Shape::is_finite) else {
        return invalidate(row, index, names, Flaw::NotFinite);
    };
    let traits = row.traits;
    let role = row.role(lineage.body_of(row.entity));
    let skin = row.mover.map_or(0.0, Mover::valid_skin);
    let lineage = traits.has_any(ColliderTraits::PARENT).then_some(lineage);
    let has_steps = traits.has_any(ColliderTraits::TRACKED);
    let start = has_steps.then(|| index.start(row.entity, row.registration.key));
    let middle = shape.center();
    if index.is_new_role(row, lineage.as_ref())
        && (role.is_solid() || role.has_parent && role.body == Body::Itself)
    {
        index.new_roles.push(row.entity);
    }
    let key = index.update(row, shape, (role, skin), lineage);
    if role.solidity == Solidity::OneWay {
        index
            .one_way_walls
            .set_direction(key.slot, row.free_direction(&pose));
    }
    if let Some(start) = start {
        if index.news.is_between_runs {
            index.news.note_start(row.entity, start);
        } else if let Some(start) = start.filter(|start| start.lineage == lineage)
            && !row.begins_anew
        {
            index.note_step(key.slot, middle - start.middle);
        }
    }
    index.seen += 1;
    if role.body != Body::None {
        index.carried.push(key.slot);
    }
    Registration {
        key,
        traits,
        flaw: None,
        passes: row.mover.is_some_and(Mover::passes),
    }
}

/// Takes the collider out, if it was in.
fn leave(row: &Row, index: &mut ColliderIndex) -> Registration {
    let key = row.registration.key;
    if index.colliders.slots.has(key) {
        index.remove(key.slot);
    }
    Registration {
        key: SlotKey::default(),
        ..*row.registration
    }
}

/// Leaves the collider out until it is well again, and says so once.
fn invalidate(row: &Row, index: &mut ColliderIndex, names: &Names, flaw: Flaw) -> Registration {
    if row.registration.flaw.is_none() {
        let why = flaw.describe();
        match names.get(row.entity) {
            Ok(name) => warn!("the collider of {name} takes no part: {why}"),
            Err(_) => warn!("the collider of {} takes no part: {why}", row.entity),
        }
    }
    Registration {
        flaw: Some(flaw),
        ..leave(row, index)
    }
}
