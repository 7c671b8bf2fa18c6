//! The shapes of movers with rigid children.

use std::sync::Arc;

use bevy::prelude::*;

use crate::{
    components::EntityOrder,
    geometry::{Placement, Shape},
    index::MoverRelation,
    movement::{
        body::{MoveInput, PlanNumbers},
        world::UpdateWorld,
    },
};

/// Unites the shapes of movers and their rigid children. Keeps its buffers.
#[derive(Default)]
pub(super) struct Compounds {
    rigid: Vec<RigidChild>,
    /// The shapes of each compound.
    lists: Vec<Arc<Vec<Shape>>>,
}

/// A collider that is blocked with its mover.
struct RigidChild {
    mover: Entity,
    order: EntityOrder,
    slot: u32,
}

impl Compounds {
    /// Unites the shapes of movers with those of their rigid children.
    pub fn unite(&mut self, world: &UpdateWorld, inputs: &mut [MoveInput], numbers: &PlanNumbers) {
        let Self { rigid, lists } = self;
        rigid.clear();
        rigid.extend(world.rigid.iter().filter_map(|(entity, registration)| {
            let slot = registration.slot;
            let entry = world.index.get(slot, entity)?;
            let is_below = entry.role.moved_by == MoverRelation::Ancestor;
            Some(RigidChild {
                mover: entry.mover().filter(|_| is_below)?,
                order: entry.order(),
                slot,
            })
        }));
        rigid.sort_unstable_by_key(|child| (child.mover, child.order));
        for (used, children) in rigid.chunk_by(|p, q| p.mover == q.mover).enumerate() {
            if used == lists.len() {
                lists.push(Arc::default());
            }
            let number = numbers.get(children[0].mover);
            let input = number.map(|number| &mut inputs[number as usize]);
            if let Some(input) = input
                && let Some(own) = input.entry(world.index)
            {
                let entries = children.iter();
                let entries = entries.filter_map(|child| world.index.at(child.slot));
                let shapes = entries.map(|entry| entry.shape);
                input.compound = Some(compound(own.shape, shapes, &mut lists[used]));
            }
        }
    }
}

/// A shape together with others. `list` is a buffer.
pub(crate) fn compound<'a>(
    own: &Shape,
    others: impl Iterator<Item = &'a Shape>,
    list: &mut Arc<Vec<Shape>>,
) -> Shape {
    let center = own.center();
    // The compound of the last update is gone, so this does not copy.
    let shapes = Arc::make_mut(list);
    shapes.clear();
    shapes.push(own.translated(-center));
    shapes.extend(others.map(|other| other.translated(-center)));
    Shape::Compound {
        shapes: list.clone(),
        placement: Placement::at(center),
    }
}
