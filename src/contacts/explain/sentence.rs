//! Explanations as sentences.

use std::fmt::{self, Display, Formatter};

use bevy::{
    ecs::{
        name::{NameOrEntity, NameOrEntityItem},
        query::QueryFilter,
    },
    prelude::*,
};

use super::{Absence, Blocking, Explanation, Lack, Verdict, Walkable};
use crate::{
    components::LayerMask,
    geometry::Contact,
    hints::{ADD_SOLID, MAKE_SIBLINGS, MOVE_COLLIDER, MOVE_SOLID},
    index::LayerNames,
};

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&self.sentence(Entity::to_string))
    }
}

impl Explanation {
    /// The sentence with the [`Name`]s of the entities, where they have one.
    ///
    /// ```
    /// # use bevy::{ecs::name::NameOrEntity, prelude::*};
    /// # use bevy_thud::{Explanation, prelude::*};
    /// fn log(explanation: Explanation, names: Query<NameOrEntity>) {
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
            verdict => verdict.sentence([&a, &b], &name, self.layer_names),
        };
        let sides = [(self.b_blocks_a, &a, &b, 0), (self.a_blocks_b, &b, &a, 1)];
        let blocking = sides.map(|(blocking, mover, blocker, side)| {
            let lacks = [self.lacks[side], self.lacks[1 - side]];
            blocking?.sentence(mover, blocker, self.collide(), lacks, self.layer_names)
        });
        let blocking = if self.nothing_moves() {
            vec![" Neither blocks the other: neither is a `Mover`.".to_string()]
        } else {
            blocking.into_iter().flatten().collect()
        };
        let walking = [
            self.a_walks_on_b.map(|walkable| walkable.sentence(&a, &b)),
            self.b_walks_on_a.map(|walkable| walkable.sentence(&b, &a)),
        ];
        let walking: String = walking.into_iter().flatten().collect();
        let blocking = blocking.concat();
        format!("{a} and {b}{do_not} collide: {why}.{blocking}{walking}")
    }

    fn lack_of(&self, entity: Entity) -> Lack {
        self.lacks[usize::from(entity != self.a)]
    }

    /// Whether the two overlap, and neither is a mover that could be blocked.
    fn nothing_moves(&self) -> bool {
        let both = [self.a_blocks_b, self.b_blocks_a];
        let has_mover = self.lacks.contains(&Lack::MoverCollider);
        self.collide() && both == [Some(Blocking::NoMover); 2] && !has_mover
    }
}

/// How deep two colliders overlap, and in which cells of grids.
fn collision(contact: &Contact, names: [&str; 2]) -> String {
    let depth = contact.depth;
    let cells = [contact.cell_a(), contact.cell_b()].into_iter().zip(names);
    let cells = cells.filter_map(|(cell, name)| {
        let UVec2 { x, y } = cell?;
        Some(format!(" in column {x} and row {y} of {name}"))
    });
    let cells: String = cells.collect();
    if depth < 0.0 {
        format!(
            "they are {} apart{cells}, which counts as overlapping",
            -depth
        )
    } else {
        // Adding zero makes -0 positive.
        format!("they overlap by {}{cells}", depth + 0.0)
    }
}

impl Verdict {
    fn sentence(
        &self,
        [a, b]: [&str; 2],
        name: impl Fn(&Entity) -> String,
        layer_names: LayerNames,
    ) -> String {
        match self {
            Self::Collide(contact) => collision(contact, [a, b]),
            Self::SameEntity => "they are the same entity".to_string(),
            Self::Absent { entity, absence } => absence.sentence(&name(entity)),
            Self::Layers { a_lacks, b_lacks } => {
                let mismatch = |collider, other, layers: Option<LayerMask>| {
                    Some(layer_mismatch(collider, other, layers?, layer_names))
                };
                let mismatches = [mismatch(a, b, *a_lacks), mismatch(b, a, *b_lacks)];
                mismatches
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(". ")
            }
            Self::Ignored => "one of them has an `Ignores` for the other. Remove it".to_string(),
            Self::Walls => {
                "both are static walls: `Solid`, and neither is `Swept` or belongs to a mover. \
                Add `Swept` or a `Mover` to one of them, or set `CollisionSettings::solid_pairs`"
                    .to_string()
            }
            Self::SameBody { mover } => {
                format!("they belong to one body, that of the mover {}", name(mover))
            }
            Self::Related {
                ancestor,
                descendant,
            } => format!(
                "{} is an ancestor of {}, and {MAKE_SIBLINGS}",
                name(ancestor),
                name(descendant)
            ),
            Self::Apart { gap, margin } if *margin > 0.0 => {
                format!("they are {gap} apart; they must be closer than {margin}")
            }
            Self::Apart { gap, .. } => format!("they are {gap} apart"),
            Self::Touching { margin, .. } if *margin > 0.0 => format!(
                "their distance equals the touching margin of {margin}; they must be closer"
            ),
            Self::Touching { .. } => "they only touch, which does not count as overlapping. \
                `CollisionSettings::margin` moves that limit"
                .to_string(),
            Self::Changed => {
                "they did not collide in the last update. Something has changed since then, \
                and they will collide in the next one"
                    .to_string()
            }
        }
    }
}

/// Why the filters of `collider` do not match the layers of `other`.
fn layer_mismatch(
    collider: &str,
    other: &str,
    layers: LayerMask,
    layer_names: LayerNames,
) -> String {
    if layers == LayerMask::NONE {
        return format!(
            "{other} is in no layer. Add one to its memberships, and to the filters of {collider} \
            if it is not among them"
        );
    }
    format!(
        "the filters of {collider} contain none of the layers of {other} ({}). Add one of them to \
        the filters of {collider}",
        layer_names.list(layers)
    )
}

impl Absence {
    fn sentence(self, name: &str) -> String {
        match self {
            Self::NoSuchEntity => {
                format!("there is no entity {name}: it is despawned, or not spawned yet")
            }
            Self::NoCollider => format!(
                "{name} has no collider. Add one, such as `CircleCollider`, and register collider \
                types of your own with `add_collider`"
            ),
            Self::Disabled => format!("{name} has a `ColliderDisabled`. Remove it"),
            Self::Hidden => format!(
                "{name} is hidden from queries. Remove Bevy's `Disabled`, or whichever disabling \
                component it has"
            ),
            Self::NoTransform => format!("{name} has no `Transform`. Add one"),
            Self::NotFinite => {
                format!("the position, size or scale of {name} is not finite")
            }
            Self::NotFiniteInWorld => format!(
                "an ancestor of {name} places it where its position, size or scale is not finite"
            ),
            Self::ParentCycle => format!("the parents of {name} form a cycle"),
            Self::NoSolidCell => format!("no cell of the grid {name} is solid"),
            Self::NotSynced => {
                format!(
                    "{name} was spawned, enabled or given its collider after the last update. The \
                    next update will include it"
                )
            }
        }
    }
}

impl Blocking {
    /// Whether `blocker` blocks `mover`, or `None` if the verdict implies it or nobody expects it.
    /// `lacks` is what the mover and the blocker lack.
    fn sentence(
        self,
        mover: &str,
        blocker: &str,
        collide: bool,
        lacks: [Lack; 2],
        layer_names: LayerNames,
    ) -> Option<String> {
        let because =
            |reason: String| Some(format!(" {blocker} does not block {mover}: {reason}."));
        match self {
            Self::NoMover if collide && lacks[0] == Lack::MoverCollider => {
                because(MOVE_COLLIDER.to_string())
            }
            Self::NotSolid if lacks[1] == Lack::Solid => because(ADD_SOLID.to_string()),
            Self::NotSolid if lacks[1] == Lack::SolidOfAncestor => because(MOVE_SOLID.to_string()),
            Self::NoMover | Self::Layers | Self::Ignored | Self::SameBody => None,
            Self::Blocks => Some(format!(" {blocker} blocks {mover}.")),
            Self::Passes => because(format!("the response of {mover} is `MoverResponse::Pass`")),
            Self::NotSolid => because(format!("{blocker} is not `Solid`")),
            Self::NotBlockedBy { lacks } if lacks == LayerMask::NONE => {
                because(format!("{blocker} is in no layer"))
            }
            Self::NotBlockedBy { lacks } => because(format!(
                "`Mover::blocked_by` of {mover} contains none of its layers ({})",
                layer_names.list(lacks)
            )),
            Self::Carried => because(format!("it stands on {mover}, which carries it")),
            Self::DeepInMover => because(format!(
                "it is a mover that is deep in {mover}, so that they are separated"
            )),
            Self::DropsThrough => because(format!("{mover} drops through it")),
            Self::InOneWay => because(format!(
                "it is `OneWay`, and {mover} overlapped it when the update began"
            )),
            Self::BehindOneWay => because(format!(
                "it is `OneWay`, and {mover} was not on its blocking side when {mover} began to \
                move"
            )),
        }
    }
}

impl Walkable {
    fn sentence(self, walker: &str, other: &str) -> String {
        match self {
            Self::Floor => format!(" {walker} stands on {other}."),
            Self::Wall { slope, max_slope } => {
                let [slope, max_slope] = [slope, max_slope].map(f32::to_degrees);
                format!(
                    " {other} is no floor for {walker}: its slope of {slope:.1}° is above \
                    `Walker::max_slope` of {max_slope:.1}°."
                )
            }
            Self::Ceiling => format!(" {other} is a ceiling for {walker}."),
        }
    }
}
