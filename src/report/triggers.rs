//! Telling observers. This happens in a command, because only there it is known who observes what.

use bevy::{
    ecs::event::{EventKey, PropagateEntityTrigger},
    prelude::*,
};

use crate::{
    events::{CollisionEnd, CollisionEvent, CollisionStart, Crushed, MoverHit, PendingEvents},
    index::visit_ancestors,
};

/// What observers will hear.
#[derive(Resource, Default)]
pub(crate) struct Outbox(PendingEvents);

/// Triggers what was not reported yet, in the order of the messages.
pub(crate) fn trigger_observers(
    mut pending: ResMut<PendingEvents>,
    mut outbox: ResMut<Outbox>,
    mut commands: Commands,
) {
    let PendingEvents {
        collisions,
        hits,
        crushed,
    } = &*pending;
    let is_empty = collisions.is_empty() && hits.is_empty() && crushed.is_empty();
    pending.move_to(&mut outbox.0);
    if !is_empty {
        commands.queue(deliver_outbox);
    }
}

/// Observers may do anything with the world, so the outbox is taken out of it meanwhile, and its lists are put back to be
/// used again. What an observer commands is done before the next event: whom one despawns hears nothing any more.
fn deliver_outbox(world: &mut World) {
    let mut outbox = std::mem::take(&mut *world.resource_mut::<Outbox>());
    let Outbox(PendingEvents {
        collisions,
        hits,
        crushed,
    }) = &outbox;
    for &event in collisions {
        trigger_both_sides(world, event);
    }
    for &hit in hits {
        if ObserverCheck::of::<MoverHit>(world, hit.entity, |_| None) == ObserverCheck::Observed {
            world.trigger(hit);
            world.flush();
        }
    }
    for &crushed in crushed {
        if ObserverCheck::of::<Crushed>(world, crushed.entity, |_| None) == ObserverCheck::Observed
        {
            world.trigger(crushed);
            world.flush();
        }
    }
    outbox.0.clear();
    if let Some(mut emptied) = world.get_resource_mut::<Outbox>() {
        *emptied = outbox;
    }
}

fn trigger_both_sides(world: &mut World, event: CollisionEvent) {
    let [a, b] = event.entities();
    for (collider, other) in [(a, b), (b, a)] {
        match event {
            CollisionEvent::Started {
                contact, fraction, ..
            } => {
                let contact = if collider == a {
                    contact
                } else {
                    contact.flipped()
                };
                let start = CollisionStart {
                    entity: collider,
                    collider,
                    other,
                    contact,
                    fraction,
                };
                match ObserverCheck::of::<CollisionStart>(world, collider, parent_of(world)) {
                    ObserverCheck::Observed => world.trigger(start),
                    ObserverCheck::ObservedInCycle => world.trigger_with(start, without_parents()),
                    ObserverCheck::Unobserved => continue,
                }
            }
            CollisionEvent::Ended { reason, .. } => {
                let end = CollisionEnd {
                    entity: collider,
                    collider,
                    other,
                    reason,
                };
                match ObserverCheck::of::<CollisionEnd>(world, collider, parent_of(world)) {
                    ObserverCheck::Observed => world.trigger(end),
                    ObserverCheck::ObservedInCycle => world.trigger_with(end, without_parents()),
                    ObserverCheck::Unobserved => continue,
                }
            }
        }
        world.flush();
    }
}

/// Where events bubble to.
fn parent_of(world: &World) -> impl Fn(Entity) -> Option<Entity> {
    |entity| world.get::<ChildOf>(entity).map(ChildOf::parent)
}

/// A trigger that does not bubble.
fn without_parents<E: EntityEvent>() -> PropagateEntityTrigger<true, E, &'static ChildOf> {
    let mut trigger = PropagateEntityTrigger::default();
    trigger.propagate = false;
    trigger
}

/// Who would hear an event.
#[derive(PartialEq)]
enum ObserverCheck {
    /// Unobserved, or its target is gone.
    Unobserved,
    Observed,
    /// Observed, but bubbling up would never end.
    ObservedInCycle,
}

impl ObserverCheck {
    /// Who would hear `E`, triggered on `target` and bubbling from entity to entity. Where nothing observes it at all no entity is looked
    /// at.
    fn of<E: Event>(
        world: &World,
        target: Entity,
        next: impl Fn(Entity) -> Option<Entity>,
    ) -> Self {
        let key = world.event_key::<E>();
        let Some(observers) =
            key.and_then(|key: EventKey| world.observers().try_get_observers(key))
        else {
            return Self::Unobserved;
        };
        if world.get_entity(target).is_err() {
            return Self::Unobserved;
        }
        let observed = observers.entity_observers();
        let mut is_observed =
            !observers.global_observers().is_empty() || observed.contains_key(&target);
        let walk = visit_ancestors(next(target), |ancestor| {
            is_observed |= observed.contains_key(&ancestor);
            next(ancestor)
        });
        match (is_observed, walk) {
            (false, _) => Self::Unobserved,
            (true, Ok(())) => Self::Observed,
            (true, Err(_)) => Self::ObservedInCycle,
        }
    }
}
