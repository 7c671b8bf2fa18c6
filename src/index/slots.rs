use bevy::ecs::component::Component;

/// What the index knows a collider by, as long as it is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SlotKey {
    pub slot: u32,
    /// Tells apart those that have a slot one after another. That of nothing is zero.
    generation: u32,
}

/// What an entity says about its collider by what it has: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColliderTraits(u8);

impl ColliderTraits {
    pub const SOLID: Self = Self(1);
    pub const MOVER: Self = Self(2);
    pub const PARENT: Self = Self(4);
    pub const LAYERS: Self = Self(8);
    pub const SWEPT: Self = Self(16);
    pub const ONE_WAY: Self = Self(32);

    /// Those whose steps from run to run are noted.
    pub const TRACKED: Self = Self(Self::SWEPT.0 | Self::ONE_WAY.0);

    /// The traits that hold.
    #[inline]
    pub fn of<const COUNT: usize>(traits: [(Self, bool); COUNT]) -> Self {
        let bits = traits.map(|(Self(bit), holds)| if holds { bit } else { 0 });
        Self(bits.iter().fold(0, |all, bit| all | bit))
    }

    /// Whether any of the others is among these.
    #[inline]
    pub fn has_any(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// What the index last knew of an entity's collider.
#[derive(Component, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Registration {
    pub key: SlotKey,
    pub traits: ColliderTraits,
    /// Why it is left out, if it is.
    pub flaw: Option<Flaw>,
    /// Whether it is a mover that everything lets through.
    pub passes: bool,
}

/// Why a collider takes no part that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    NotFinite,
    ParentCycle,
}

impl Flaw {
    pub fn describe(self) -> &'static str {
        match self {
            Self::NotFinite => "its position, size or scale is not a finite number",
            Self::ParentCycle => "its parents form a cycle",
        }
    }
}

/// Where each slot's collider is. Slots stay the same, places do not.
#[derive(Default)]
pub(super) struct Slots {
    places: Vec<u32>,
    generations: Vec<u32>,
    free: Vec<u32>,
}

/// The place of what is not there.
const NOWHERE: u32 = u32::MAX;

impl Slots {
    /// How many there are, free ones included.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// How many are taken.
    pub fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }

    pub fn place(&self, slot: u32) -> Option<usize> {
        let place = *self.places.get(slot as usize)?;
        (place != NOWHERE).then_some(place as usize)
    }

    /// Whether the collider that a key was given for is still there.
    #[inline]
    pub fn has(&self, key: SlotKey) -> bool {
        self.generations.get(key.slot as usize) == Some(&key.generation)
    }

    /// The place of that collider.
    #[inline]
    pub fn place_of(&self, key: SlotKey) -> Option<usize> {
        self.has(key)
            .then(|| self.places[key.slot as usize] as usize)
    }

    pub fn set_place(&mut self, slot: u32, place: u32) {
        self.places[slot as usize] = place;
    }

    /// Gives a slot to what is at `place`.
    pub fn take(&mut self, place: u32) -> SlotKey {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.places.push(NOWHERE);
            self.generations.push(1);
            self.places.len() as u32 - 1
        });
        self.places[slot as usize] = place;
        SlotKey {
            slot,
            generation: self.generations[slot as usize],
        }
    }

    pub fn release(&mut self, slot: u32) {
        let generation = &mut self.generations[slot as usize];
        *generation = generation.wrapping_add(1).max(1);
        self.places[slot as usize] = NOWHERE;
        self.free.push(slot);
    }
}
