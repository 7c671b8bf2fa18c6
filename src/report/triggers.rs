//! Triggers observers, in a command, because only there are the observers known.

use bevy::{
    ecs::event::{EventKey, PropagateEntityTrigger},
    prelude::*,
};

use crate::{
    events::{CollisionEnd, CollisionEvent, CollisionStart, PendingEvents},
    index::visit_ancestors,
    schedule::OnMainThread,
};

/// Triggers the pending events, in the order of the messages, and clears them.
pub(crate) fn trigger_observers(mut commands: Commands, _: OnMainThread) {
    commands.queue(deliver);
}

/// Observers may change anything in the world, so the events are removed from it meanwhile. The
/// commands of an observer are applied before the next event: an entity that one despawns receives
/// no further events.
fn deliver(world: &mut World) {
    let mut pending = std::mem::take(&mut *world.resource_mut::<PendingEvents>());
    let PendingEvents {
        collisions,
        hits,
        crushed,
        left_floor,
        landed,
        changed_floor,
        ..
    } = &pending;
    for &event in collisions {
        let [a, b] = event.entities();
        trigger_on_collider(world, event, [a, b]);
        trigger_on_collider(world, event, [b, a]);
    }
    for &hit in hits {
        trigger_on(world, hit.entity, hit);
    }
    for &crushed in crushed {
        trigger_on(world, crushed.entity, crushed);
    }
    for &left in left_floor {
        trigger_on(world, left.entity, left);
    }
    for &landed in landed {
        trigger_on(world, landed.entity, landed);
    }
    for &changed in changed_floor {
        trigger_on(world, changed.entity, changed);
    }
    pending.clear();
    if let Some(mut emptied) = world.get_resource_mut::<PendingEvents>() {
        *emptied = pending;
    }
}

/// Triggers an event that does not bubble, if any observer would receive it.
fn trigger_on<'a, E>(world: &mut World, target: Entity, event: E)
where
    E: EntityEvent<Trigger<'a>: Default>,
{
    if ObserverCheck::of::<E>(world, target, |_| None) == ObserverCheck::Observed {
        world.trigger(event);
        world.flush();
    }
}

/// Triggers a start or an end on one of the two colliders, if any observer would receive it.
fn trigger_on_collider(world: &mut World, event: CollisionEvent, [collider, other]: [Entity; 2]) {
    match event {
        CollisionEvent::Started {
            a,
            contact,
            fraction,
            ..
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
            trigger_bubbling(world, start);
        }
        CollisionEvent::Ended { reason, .. } => {
            let end = CollisionEnd {
                entity: collider,
                collider,
                other,
                reason,
            };
            trigger_bubbling(world, end);
        }
    }
}

/// Triggers an event that bubbles to the parents, if any observer would receive it.
fn trigger_bubbling<'a, E>(world: &mut World, event: E)
where
    E: EntityEvent<Trigger<'a> = PropagateEntityTrigger<true, E, &'static ChildOf>>,
{
    match ObserverCheck::of::<E>(world, event.event_target(), parent_of(world)) {
        ObserverCheck::Observed => world.trigger(event),
        ObserverCheck::ObservedInCycle => {
            let mut trigger = PropagateEntityTrigger::default();
            trigger.propagate = false;
            world.trigger_with(event, trigger);
        }
        ObserverCheck::Unobserved => return,
    }
    world.flush();
}

/// The next entity to which an event bubbles.
fn parent_of(world: &World) -> impl Fn(Entity) -> Option<Entity> {
    |entity| world.get::<ChildOf>(entity).map(ChildOf::parent)
}

/// Whether any observer would receive an event.
#[derive(PartialEq)]
enum ObserverCheck {
    /// None would, or the target is despawned.
    Unobserved,
    Observed,
    /// One would, but the parents form a cycle, so that bubbling would never end.
    ObservedInCycle,
}

impl ObserverCheck {
    /// Whether any observer would receive `E`, triggered on `target` and bubbling along `next`.
    /// Reads no entity if no observer of `E` exists.
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
