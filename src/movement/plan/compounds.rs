//! The shapes of movers with parts.

use std::sync::Arc;

use crate::{
    geometry::{Placement, Shape},
    movement::{
        body::{MovePlan, PlanNumbers},
        world::UpdateWorld,
        world_order::by_world,
    },
};

/// Unites the shapes of movers and their parts. Keeps its buffers.
#[derive(Default)]
pub(super) struct Compounds {
    /// The shapes of each compound.
    lists: Vec<Arc<Vec<Shape>>>,
}

impl Compounds {
    /// Unites the shapes of movers with those of their parts.
    pub fn unite(&mut self, world: &UpdateWorld, plans: &mut [MovePlan], numbers: &PlanNumbers) {
        for (used, mover) in world.index.movers_with_parts().enumerate() {
            if used == self.lists.len() {
                self.lists.push(Arc::default());
            }
            let number = numbers.get(mover);
            let input = number.map(|number| &mut plans[number as usize].input);
            if let Some(input) = input
                && let Some(own) = input.entry(world.index)
            {
                let parts = world.index.parts_of(mover).map(|part| part.shape);
                input.compound = Some(compound(own.shape, parts, &mut self.lists[used]));
            }
        }
    }
}

/// A shape together with others, in an order that does not depend on how they were spawned. `list`
/// is a buffer.
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
    shapes.sort_unstable_by(by_world);
    Shape::Compound {
        shapes: list.clone(),
        placement: Placement::at(center),
    }
}
