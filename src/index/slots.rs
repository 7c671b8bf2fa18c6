use bevy::ecs::component::Component;

/// What the index knows a collider by, as long as it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotKey {
    pub slot: u32,
    /// Tells apart those that have a slot one after another. The first one's is 1.
    generation: u32,
}

/// What an entity says about its collider by what it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColliderTraits {
    pub solid: bool,
    pub is_mover: bool,
    pub has_parent: bool,
    pub has_layers: bool,
}

/// What the index last knew of an entity's collider.
#[derive(Component, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Registration {
    pub key: SlotKey,
    pub traits: ColliderTraits,
    /// Set while the world shape is not finite.
    pub invalid: bool,
}

/// Where each slot's collider is. Slots stay the same, places do not.
#[derive(Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The slots that became free in this run. What is known of the last one may still speak of them.
    freed: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    place: u32,
    generation: u32,
}

/// The place of what is not there.
const NOWHERE: u32 = u32::MAX;

impl Slots {
    /// How many there are, free ones included.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// How many are taken.
    pub fn count(&self) -> usize {
        self.slots.len() - self.free.len() - self.freed.len()
    }

    /// Lets the slots be used again that became free in the last run.
    pub fn begin_run(&mut self) {
        self.free.append(&mut self.freed);
    }

    pub fn place(&self, slot: u32) -> Option<usize> {
        let place = self.slots.get(slot as usize)?.place;
        (place != NOWHERE).then_some(place as usize)
    }

    /// The place of the collider that a key was given for, if that is still there.
    #[inline]
    pub fn place_of(&self, key: SlotKey) -> Option<usize> {
        let slot = self.slots.get(key.slot as usize)?;
        (slot.generation == key.generation && slot.place != NOWHERE).then_some(slot.place as usize)
    }

    pub fn set_place(&mut self, slot: u32, place: u32) {
        self.slots[slot as usize].place = place;
    }

    /// Gives a slot to what is at `place`.
    pub fn take(&mut self, place: u32) -> SlotKey {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot {
                place,
                generation: 0,
            });
            self.slots.len() as u32 - 1
        });
        let taken = &mut self.slots[slot as usize];
        taken.place = place;
        taken.generation = taken.generation.wrapping_add(1).max(1);
        SlotKey {
            slot,
            generation: taken.generation,
        }
    }

    pub fn release(&mut self, slot: u32) {
        self.slots[slot as usize].place = NOWHERE;
        self.freed.push(slot);
    }
}
