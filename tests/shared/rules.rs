//! Which colliders collide, by the documented rules: the reference for all tests.

/// How far around a mover walls that block it count as touching, by default: its skin, twice.
const TOUCHING: f64 = 0.04;

/// What the rules depend on. `Id` names an entity.
pub struct Role<Id> {
    pub id: Id,
    pub memberships: u32,
    pub filters: u32,
    /// The others of its `Ignores` and of that of its body.
    pub ignored: Vec<Id>,
    pub is_solid: bool,
    pub is_swept: bool,
    /// The layers that block it, if it is a mover.
    pub blocked_by: Option<u32>,
    /// The nearest mover among the entity and its ancestors.
    pub body: Option<Id>,
    pub ancestors: Vec<Id>,
}

impl<Id: PartialEq> Role<Id> {
    /// Whether its filters contain a layer of another collider.
    pub fn sees(&self, other: &Self) -> bool {
        self.filters & other.memberships != 0
    }

    /// Whether it ignores another collider, or the body to which that belongs.
    pub fn ignores(&self, other: &Self) -> bool {
        let body = other.body.as_ref();
        let mut ignored = self.ignored.iter();
        ignored.any(|ignored| *ignored == other.id || body == Some(ignored))
    }

    pub fn is_static_wall(&self) -> bool {
        self.is_solid && self.body.is_none() && !self.is_swept
    }

    pub fn is_ancestor_of(&self, other: &Self) -> bool {
        other.ancestors.contains(&self.id)
    }

    /// Whether both are part of the same body, or one is an ancestor of the other.
    pub fn is_one_with(&self, other: &Self) -> bool {
        (self.body.is_some() && self.body == other.body)
            || self.is_ancestor_of(other)
            || other.is_ancestor_of(self)
    }

    /// Whether the layers and the rest of a wall let it block this mover, if it is one.
    pub fn is_blocked_by(&self, wall: &Self) -> bool {
        wall.is_solid && self.blocked_by.unwrap_or(0) & wall.memberships != 0
    }

    pub fn may_collide(&self, other: &Self, solid_pairs: bool) -> bool {
        let are_walls = self.is_static_wall() && other.is_static_wall();
        self.sees(other)
            && other.sees(self)
            && !self.ignores(other)
            && !other.ignores(self)
            && !self.is_one_with(other)
            && (!are_walls || solid_pairs)
    }

    /// The distance below which two that may collide overlap, with the margin of the settings.
    pub fn overlap_distance(&self, other: &Self, margin: f64) -> f64 {
        if self.is_blocked_by(other) || other.is_blocked_by(self) {
            margin.max(TOUCHING)
        } else {
            margin
        }
    }
}
