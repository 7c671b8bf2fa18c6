//! What the index last knew of an entity's collider, kept on the entity.

use bevy::ecs::component::Component;

use super::{reason::Reason, slots::NO_SLOT};

/// What the index last knew of an entity's collider.
#[derive(Component)]
#[component(clone_behavior = Ignore)]
pub(crate) struct Registration {
    /// The slot of the collider, if that is still this entity's.
    pub slot: u32,
    pub flags: ColliderFlags,
    /// Why the collider is ignored, if it is.
    pub invalid: Option<Reason>,
    /// Whether it is a mover that nothing blocks.
    pub passes: bool,
}

impl Default for Registration {
    fn default() -> Self {
        Self {
            slot: NO_SLOT,
            flags: ColliderFlags::default(),
            invalid: None,
            passes: false,
        }
    }
}

/// The components that an entity has, as a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ColliderFlags(u16);

impl ColliderFlags {
    pub const SOLID: Self = Self(1);
    pub const MOVER: Self = Self(2);
    pub const PARENT: Self = Self(4);
    pub const LAYERS: Self = Self(8);
    pub const SWEPT: Self = Self(16);
    pub const ONE_WAY: Self = Self(32);
    pub const KEY: Self = Self(64);
    pub const IGNORES: Self = Self(128);
    pub const PART: Self = Self(256);
    pub const TABLE_LAYERS: Self = Self(512);

    /// The flags that are set.
    #[inline]
    pub fn of<const COUNT: usize>(flags: [(Self, bool); COUNT]) -> Self {
        let bits = flags.map(|(Self(bit), is_set)| if is_set { bit } else { 0 });
        Self(bits.iter().fold(0, |all, bit| all | bit))
    }

    /// Whether the motion since the last update counts, if it is not that of a mover.
    #[inline]
    pub fn are_tracked(self) -> bool {
        let is_one_way_wall = self.has_any(Self::ONE_WAY) && self.has_any(Self::SOLID);
        is_one_way_wall || self.has_any(Self::SWEPT) && !self.has_any(Self::MOVER)
    }

    /// Whether any of `others` is set.
    #[inline]
    pub fn has_any(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}
