//! Explanations in words.

use std::fmt::{self, Display, Formatter};

use bevy::{
    ecs::{
        name::{NameOrEntity, NameOrEntityItem},
        query::QueryFilter,
    },
    prelude::*,
};

use super::{Absence, Blocking, Explanation, Lack, Verdict};
use crate::{
    components::LayerMask,
    geometry::Contact,
    hints::{ADD_SOLID, MAKE_SIBLINGS, MOVE_COLLIDER, MOVE_SOLID},
};

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&self.sentence(Entity::to_string))
    }
}

impl Explanation {
    /// The sentence with the names that entities have.
    ///
    /// ```
    /// # use bevy::{ecs::name::NameOrEntity, prelude::*};
    /// # use bevy_thud::{Explanation, prelude::*};
    /// fn say(explanation: Explanation, names: Query<NameOrEntity>) {
    ///     // Bullet (12v0) and Monster (7v0) do not collide: …
    ///     info!("{}", explanation.named(&names));
    /// }
    /// ```
    pub fn named<F: QueryFilter>(&self, names: &Query<NameOrEntity, F>) -> String {
        self.sentence(|entity| match names.get(*entity) {
            Ok(NameOrEntityItem {
                name: Some(name), ..
            }) => format!("{name} ({entity})"),
            _ => entity.to_string(),
        })
    }

    fn sentence(&self, name: impl Fn(&Entity) -> String) -> String {
        let [a, b] = [&self.a, &self.b].map(&name);
        let do_not = if self.collide() { "" } else { " do not" };
        let why = match self.verdict {
            Verdict::Absent {
                entity,
                absence: Absence::NoCollider,
            } if self.lack_of(entity) == Lack::MoverCollider => {
                format!("{} has no collider: {MOVE_COLLIDER}", name(&entity))
            }
            verdict => verdict.sentence([&a, &b], &name),
        };
        let sides = [(self.b_blocks_a, &a, &b, 0), (self.a_blocks_b, &b, &a, 1)];
        let blocking = sides.map(|(blocking, mover, blocker, side)| {
            let lacks = (self.lacks[side], self.lacks[1 - side]);
            blocking?.sentence(mover, blocker, self.collide(), lacks)
        });
        let blocking = if self.nothing_moves() {
            vec![" Neither stops the other, for neither is a `Mover`.".to_string()]
        } else {
            blocking.into_iter().flatten().collect()
        };
        format!("{a} and {b}{do_not} collide: {why}.{}", blocking.concat())
    }

    fn lack_of(&self, entity: Entity) -> Lack {
        self.lacks[usize::from(entity != self.a)]
    }

    /// Whether they overlap, and whoever asks might expect that one stops the other.
    fn nothing_moves(&self) -> bool {
        let both = [self.a_blocks_b, self.b_blocks_a];
        let has_mover = self.lacks.contains(&Lack::MoverCollider);
        self.collide() && both == [Some(Blocking::NoMover); 2] && !has_mover
    }
}

impl Verdict {
    fn sentence(&self, [a, b]: [&str; 2], name: impl Fn(&Entity) -> String) -> String {
        match self {
            Self::Collide(Contact { depth, .. }) if *depth < 0.0 => {
                format!("they are {} apart, which counts as overlapping", -depth)
            }
            Self::Collide(Contact { depth, .. }) => format!("they overlap by {depth}"),
            Self::SameEntity => "they are the same entity".to_string(),
            Self::Absent { entity, absence } => absence.sentence(&name(entity)),
            Self::Layers { a_lacks, b_lacks } => {
                let gaps = [
                    a_lacks.map(|layers| layer_gap(a, b, layers)),
                    b_lacks.map(|layers| layer_gap(b, a, layers)),
                ];
                gaps.into_iter().flatten().collect::<Vec<_>>().join(". ")
            }
            Self::Walls => "both are `Solid`, and nothing moves them. Give one a `Mover` or `Swept`, or set \
                `CollisionSettings::solid_pairs`"
                .to_string(),
            Self::SameBody { mover } => {
                format!("they are one body, that of the mover {}", name(mover))
            }
            Self::Related { ancestor, descendant } => format!(
                "{} is an ancestor of {}, and {MAKE_SIBLINGS}",
                name(ancestor),
                name(descendant)
            ),
            Self::Apart { gap, margin } if *margin > 0.0 => {
                format!("they are {gap} apart, and count as overlapping below {margin}")
            }
            Self::Apart { gap, .. } => format!("they are {gap} apart"),
            Self::Touching { margin, .. } if *margin > 0.0 => format!(
                "they are {margin} apart but for rounding, and have to be nearer than that"
            ),
            Self::Touching { .. } => {
                "they only touch, and overlap by no more than rounding. `CollisionSettings::margin` moves that line".to_string()
            }
            Self::Changed => {
                "they did not in the last run. Something has changed since then, and the next one will find them".to_string()
            }
        }
    }
}

/// Why one does not look for the other.
fn layer_gap(looking: &str, other: &str, layers: LayerMask) -> String {
    if layers == LayerMask::NONE {
        return format!(
            "{other} is in no layer. Put one that {looking} looks for into the memberships of {other}"
        );
    }
    format!(
        "{looking} looks for none of the layers that {other} is in ({}). Add one of them to the filters of {looking}",
        numbers(layers)
    )
}

/// The numbers of layers.
fn numbers(layers: LayerMask) -> String {
    if layers == LayerMask::ALL {
        return "all".to_string();
    }
    let numbers = (0..u32::BITS).filter(|&number| layers.intersects(LayerMask::layer(number)));
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    numbers.join(", ")
}

impl Absence {
    fn sentence(self, name: &str) -> String {
        match self {
            Self::NoSuchEntity => {
                format!("there is no entity {name}. It is despawned, or not spawned yet")
            }
            Self::NoCollider => format!(
                "{name} has no collider. Give it one, a `CircleCollider` for instance, and tell the app of kinds of your own \
                by `add_collider`"
            ),
            Self::Disabled => format!("{name} has a `ColliderDisabled`. Remove it"),
            Self::Hidden => format!(
                "{name} is hidden from queries. Remove Bevy's `Disabled`, or what else of that kind it has"
            ),
            Self::NoTransform => format!("{name} has no `Transform`. Give it one"),
            Self::NotFinite => {
                format!("the position, size or scale of {name} is not a finite number")
            }
            Self::ParentCycle => format!("the parents of {name} form a cycle"),
            Self::NotSynced => {
                format!(
                    "{name} is new, or was enabled, since the last run. The next one will see it"
                )
            }
        }
    }
}

impl Blocking {
    /// Whether one stops a mover; nothing, if that was said with the verdict or is not to be
    /// expected. What they lack comes in the same order.
    fn sentence(
        self,
        mover: &str,
        blocker: &str,
        collide: bool,
        lacks: (Lack, Lack),
    ) -> Option<String> {
        let because = |reason: String| Some(format!(" {blocker} does not stop {mover}: {reason}."));
        match self {
            Self::NoMover if collide && lacks.0 == Lack::MoverCollider => {
                because(MOVE_COLLIDER.to_string())
            }
            Self::NotSolid if lacks.1 == Lack::Solid => because(ADD_SOLID.to_string()),
            Self::NotSolid if lacks.1 == Lack::SolidOfAncestor => because(MOVE_SOLID.to_string()),
            Self::NoMover | Self::Layers | Self::SameBody => None,
            Self::Blocks => Some(format!(" {blocker} stops {mover}.")),
            Self::Passes => because(format!("the response of {mover} is `MoverResponse::Pass`")),
            Self::NotSolid => because(format!("{blocker} is not `Solid`")),
            Self::NotBlockedBy { lacks } if lacks == LayerMask::NONE => {
                because(format!("{blocker} is in no layer"))
            }
            Self::NotBlockedBy { lacks } => because(format!(
                "`Mover::blocked_by` of {mover} has none of its layers ({})",
                numbers(lacks)
            )),
            Self::InOneWay => because(format!("{mover} was in it, and it is `OneWay`")),
            Self::BehindOneWay => because(format!(
                "it is `OneWay`, and {mover} was not on the side that blocks"
            )),
        }
    }
}
