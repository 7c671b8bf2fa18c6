//! Why two colliders do not collide, or one does not block the other: what the rules return.

/// Why two entities do not collide, or why one, the *blocker*, does not block the other one, the
/// *mover*. If several reasons apply, the first in declaration order is reported.
///
/// [`Explanation`](crate::Explanation) formats it as a sentence that names the remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// Both are the same entity.
    SameEntity,
    /// One entity is despawned, or not spawned yet.
    NoSuchEntity,
    /// One entity has no collider component of a type that is registered with the app.
    NoCollider,
    /// A [`Mover`](crate::Mover) has no collider of its own. Nothing blocks it: the colliders of
    /// its children only report overlaps.
    MoverWithoutCollider,
    /// One entity has a [`ColliderDisabled`](crate::ColliderDisabled).
    Disabled,
    /// One entity is hidden from queries, by Bevy's `Disabled` or another disabling component.
    Hidden,
    /// One entity has no [`Transform`](bevy::transform::components::Transform).
    NoTransform,
    /// The position, size or scale of one entity is not finite.
    NotFinite,
    /// The position, size or scale of one entity is finite in the frame of its parent, but not in
    /// the world.
    NotFiniteInWorld,
    /// The parents of one entity form a cycle.
    ParentCycle,
    /// One entity is a [`TileCollider`](crate::TileCollider) without columns.
    NoColumns,
    /// One entity was spawned, enabled or given its collider after the last update.
    NotSynced,
    /// One entity is a [`TileCollider`](crate::TileCollider) without any solid cell.
    NoSolidCell,
    /// What would be blocked has no [`Mover`](crate::Mover) of its own. The children of a mover are
    /// not blocked either, unless they are [`MoverPart`](crate::MoverPart).
    NoMover,
    /// The response of the mover is [`MoverResponse::Pass`](crate::MoverResponse::Pass).
    Passes,
    /// The blocker is not [`Solid`](crate::Solid).
    NotSolid,
    /// The blocker is [`OneWay`](crate::OneWay), but not [`Solid`](crate::Solid).
    OneWayNotSolid,
    /// The blocker is not [`Solid`](crate::Solid), but an ancestor without a collider is.
    SolidOnParent,
    /// [`Mover::blocked_by`](crate::Mover::blocked_by) contains no layer of the blocker.
    NotBlockedBy,
    /// Their [`CollisionLayers`](crate::CollisionLayers) do not match.
    Layers,
    /// One of them [ignores](crate::Ignores) the other.
    Ignored,
    /// Both are static walls: [`Solid`](crate::Solid), and neither is a mover, a descendant of one,
    /// or [`Swept`](crate::Swept). They collide if
    /// [`CollisionSettings::solid_pairs`](crate::CollisionSettings::solid_pairs) is set.
    StaticWalls,
    /// Both belong to one body, that of a [`Mover`](crate::Mover).
    SameBody,
    /// One of them is an ancestor of the other, at any distance.
    Related,
    /// They are too far apart.
    Apart,
    /// They only touch, which does not count as overlapping, except for rounding.
    Touching,
    /// They did not collide in the last update, but something has changed since then: they will
    /// collide in the next one.
    Changed,
    /// The blocker belongs to a [`Walker`](crate::Walker) that stands on the mover, or on somebody
    /// who does: the mover carries it.
    Carried,
    /// Both are [`Mover`](crate::Mover)s, and deeper in each other than a quarter of the size of
    /// the smaller one: they are separated.
    DeepInMover,
    /// The blocker is a [`OneWay`](crate::OneWay) wall that the mover overlapped when the update
    /// began.
    InOneWay,
    /// The blocker is a [`OneWay`](crate::OneWay) wall, and the mover was not on its blocking side
    /// when it began to move. A wall that is not [`Swept`](crate::Swept) may have jumped over it
    /// before.
    BehindOneWay,
    /// The blocker is a [`OneWay`](crate::OneWay) wall, and the mover is a
    /// [`Walker`](crate::Walker) that drops through it.
    DropsThrough,
}

impl Reason {
    /// The sentence about [`Self::OneWayNotSolid`].
    pub(crate) const ONE_WAY_NOT_SOLID: &str =
        "`OneWay` has no effect without `Solid`. Add `Solid`";

    /// What is wrong with a collider that takes no part until it is mended. `None` for reasons of
    /// other kinds.
    pub(crate) fn why_invalid(self) -> Option<&'static str> {
        match self {
            Self::NotFinite => Some("its position, size or scale is not a finite number"),
            Self::NotFiniteInWorld => Some(
                "an ancestor places it where its position, size or scale is not a finite number",
            ),
            Self::ParentCycle => Some("its parents form a cycle"),
            Self::NoColumns => Some("its grid has no columns, so it has no cells either"),
            _ => None,
        }
    }
}
