//! The shapes of movers with rigid children.

use std::sync::Arc;

use bevy::prelude::*;
use smallvec::SmallVec;

use crate::{
    components::EntityOrder,
    geometry::{Placement, Shape},
    index::{ColliderEntry, MoverRelation},
    movement::{
        body::{MovePlan, PlanNumbers},
        world::UpdateWorld,
    },
};

/// The shapes of which compounds consist, in no order. Their memory is kept.
#[derive(Default)]
pub(super) struct Compounds(Vec<Arc<Vec<Shape>>>);

/// A collider that is blocked with its mover.
struct Rigid<'a> {
    mover: Entity,
    order: EntityOrder,
    entry: ColliderEntry<'a>,
}

impl Compounds {
    /// Unites the shapes of movers with those of their rigid children.
    pub fn unite(&mut self, world: &UpdateWorld, plans: &mut [MovePlan], numbers: &PlanNumbers) {
        let mut rigid: SmallVec<[Rigid; 8]> = (world.rigid.iter())
            .filter_map(|(entity, registration)| {
                let entry = world.index.get(registration.slot, entity)?;
                let mover = entry
                    .mover()
                    .filter(|_| entry.role.body == MoverRelation::Ancestor)?;
                Some(Rigid {
                    mover,
                    order: entry.order(),
                    entry,
                })
            })
            .collect();
        rigid.sort_unstable_by_key(|rigid| (rigid.mover, rigid.order));
        for (used, children) in rigid.chunk_by(|p, q| p.mover == q.mover).enumerate() {
            if used == self.0.len() {
                self.0.push(Arc::default());
            }
            let number = numbers.get(children[0].mover);
            let plan = number.map(|number| &mut plans[number as usize]);
            if let Some(plan) = plan
                && let Some(own) = plan.entry(world.index)
            {
                let shapes = children.iter().map(|rigid| rigid.entry.shape);
                plan.own_shape = Some(compound(own.shape, shapes, &mut self.0[used]));
            }
        }
    }
}

/// A shape together with others. `list` is a buffer.
fn compound<'a>(
    own: &Shape,
    others: impl Iterator<Item = &'a Shape>,
    list: &mut Arc<Vec<Shape>>,
) -> Shape {
    let center = own.center();
    // Nobody shares that of the last update any more.
    let shapes = Arc::make_mut(list);
    shapes.clear();
    shapes.push(own.translated(-center));
    shapes.extend(others.map(|other| other.translated(-center)));
    Shape::Compound {
        shapes: list.clone(),
        placement: Placement::at(center),
    }
}
