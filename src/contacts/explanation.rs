//! Why two entities collide or do not collide, as data and as a sentence.

use std::fmt::{self, Display, Formatter};

use bevy::{
    ecs::{
        name::{NameOrEntity, NameOrEntityItem},
        query::QueryFilter,
    },
    prelude::*,
};

use crate::{
    components::{CollisionLayers, LayerMask},
    geometry::Contact,
    index::{LayerNames, Reason},
};

/// Why two entities `a` and `b` collide or do not collide, and whether one blocks the other: the
/// result of [`Collisions::explain(a, b)`](super::Collisions::explain).
///
/// [`Display`] formats it as a sentence that names the remedy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation {
    pub(super) a: Entity,
    pub(super) b: Entity,
    pub(super) collide: Result<Contact, Reason>,
    pub(super) b_blocks_a: Result<(), Reason>,
    pub(super) a_blocks_b: Result<(), Reason>,
    /// Which entity a reason is about: the one without a collider, the one with the `Ignores`, the
    /// mover of the body, or the ancestor of the other one.
    pub(super) subject: Entity,
    pub(super) layers: [CollisionLayers; 2],
    /// Whether both have their layers from the table.
    pub(super) are_from_table: bool,
    /// The distance of the two, and that below which they collide, in world units.
    pub(super) gap: f32,
    pub(super) margin: f32,
    /// What `a` takes `b` for, and the reverse.
    pub(super) surfaces: [Option<Surface>; 2],
    pub(super) layer_names: LayerNames,
}

/// What a walker takes a collider for that it touches. Angles are in radians from its horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Surface {
    Floor,
    /// It is too steep to stand on.
    Wall {
        slope: f32,
        max_slope: f32,
    },
    Ceiling,
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&self.sentence(|entity| entity.to_string()))
    }
}

impl Explanation {
    /// How the two collide, as seen from `a`, or why they do not.
    ///
    /// They collide if they are a pair of [`Collisions`](super::Collisions): they overlap, or are
    /// closer than [`CollisionSettings::margin`](crate::CollisionSettings::margin) or the skin of a
    /// mover requires, with a negative depth.
    pub fn collide(&self) -> Result<Contact, Reason> {
        self.collide
    }

    /// Whether `b` blocks `a`, or why not. A [`OneWay`](crate::OneWay) wall blocks only what moves
    /// into a surface that faces its direction.
    pub fn b_blocks_a(&self) -> Result<(), Reason> {
        self.b_blocks_a
    }

    /// Whether `a` blocks `b`, or why not.
    pub fn a_blocks_b(&self) -> Result<(), Reason> {
        self.a_blocks_b
    }

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
        self.sentence(|entity| match names.get(entity) {
            Ok(NameOrEntityItem {
                name: Some(name), ..
            }) => format!("{name} ({entity})"),
            _ => entity.to_string(),
        })
    }

    fn sentence(&self, name: impl Fn(Entity) -> String) -> String {
        let subject = &name(self.subject);
        let [a, b] = &[self.a, self.b].map(name);
        let layers = self.layers;
        let (do_not, why) = match &self.collide {
            Ok(contact) => ("", overlap(contact, [a, b])),
            Err(reason) => (" do not", self.why(*reason, [a, b], layers, subject)),
        };
        let mut sentence = format!("{a} and {b}{do_not} collide: {why}.");
        let sides = [
            (self.b_blocks_a, [a, b], layers),
            (self.a_blocks_b, [b, a], [layers[1], layers[0]]),
        ];
        if self.collide.is_ok() && sides.iter().all(|side| side.0 == Err(Reason::NoMover)) {
            sentence += " Neither blocks the other: neither is a `Mover`.";
        }
        for (blocks, [mover, blocker], layers) in sides {
            match blocks {
                Ok(()) => sentence += &format!(" {blocker} blocks {mover}."),
                // Nobody expects it to block, or the first half says why not.
                Err(reason) if reason == Reason::NoMover || self.collide == Err(reason) => {}
                Err(reason) => {
                    let why = self.why(reason, [mover, blocker], layers, subject);
                    sentence += &format!(" {blocker} does not block {mover}: {why}.");
                }
            }
        }
        for (surface, [walker, other]) in self.surfaces.iter().zip([[a, b], [b, a]]) {
            sentence += &surface.map_or_else(String::new, |found| found.sentence(walker, other));
        }
        sentence
    }

    /// Why two entities do not collide, or the second does not block the first. The reason may be
    /// about `subject` alone.
    fn why(
        &self,
        reason: Reason,
        [a, b]: [&String; 2],
        layers: [CollisionLayers; 2],
        subject: &str,
    ) -> String {
        let Self { gap, margin, .. } = self;
        match reason {
            Reason::SameEntity => "they are the same entity".to_string(),
            Reason::NoSuchEntity => {
                format!("there is no entity {subject}: it is despawned, or not spawned yet")
            }
            Reason::NoCollider => format!(
                "{subject} has no collider. Add one, such as `CircleCollider`, and register \
                collider types of your own with `add_collider`"
            ),
            Reason::MoverWithoutCollider => {
                let lack = format!("{subject} has no collider: ");
                format!(
                    "{}nothing blocks a mover without a collider of its own; the colliders of its \
                    children only report overlaps. Put the collider on the entity of the `Mover`, \
                    or set `MoverResponse::Pass` if nothing is to block it",
                    if self.collide == Err(reason) {
                        &lack
                    } else {
                        ""
                    }
                )
            }
            Reason::Disabled => format!("{subject} has a `ColliderDisabled`. Remove it"),
            Reason::Hidden => format!(
                "{subject} is hidden from queries. Remove Bevy's `Disabled`, or whichever \
                disabling component it has"
            ),
            Reason::NoTransform => format!("{subject} has no `Transform`. Add one"),
            Reason::NotFinite
            | Reason::NotFiniteInWorld
            | Reason::ParentCycle
            | Reason::NoColumns => {
                let why = reason.why_invalid().unwrap_or_default();
                format!("the collider of {subject} is ignored: {why}")
            }
            Reason::NotSynced => format!(
                "{subject} was spawned, enabled or given its collider after the last update. The \
                next update will include it"
            ),
            Reason::NoSolidCell => format!("no cell of the grid {subject} is solid"),
            Reason::NoMover => format!("{a} is not a `Mover`"),
            Reason::Passes => format!("the response of {a} is `MoverResponse::Pass`"),
            Reason::NotSolid => format!("{b} is not `Solid`"),
            Reason::OneWayNotSolid => Reason::ONE_WAY_NOT_SOLID.to_string(),
            Reason::SolidOnParent => {
                "`Solid` only affects the collider of its own entity. Put both on one entity"
                    .to_string()
            }
            Reason::NotBlockedBy => match layers[1].memberships {
                LayerMask::NONE => format!("{b} is in no layer"),
                memberships => format!(
                    "`Mover::blocked_by` of {a} contains none of its layers ({})",
                    self.layer_names.list(memberships)
                ),
            },
            Reason::Layers if self.are_from_table => {
                let [p, q] = layers.map(|layers| self.layer_names.list(layers.memberships));
                format!(
                    "they are in the layers {p} and {q}, which do not collide by the table of \
                    layers. Add `collide` for the two to the `LayerTable`"
                )
            }
            Reason::Layers => {
                let mismatches = [(a, b, layers), (b, a, [layers[1], layers[0]])]
                    .into_iter()
                    .filter(|(_, _, [layers, others])| !layers.filters_match(*others))
                    .map(|(a, b, [_, others])| self.layer_mismatch(a, b, others.memberships));
                mismatches.collect::<Vec<_>>().join("; ")
            }
            Reason::Ignored => format!("{subject} has an `Ignores` for the other. Remove it"),
            Reason::StaticWalls => {
                "both are static walls: `Solid`, and neither is `Swept` or belongs to a mover. \
                Add `Swept` or a `Mover` to one of them, or set `CollisionSettings::solid_pairs`"
                    .to_string()
            }
            Reason::SameBody => format!("they belong to one body, that of the mover {subject}"),
            Reason::Related => {
                let descendant = if subject == a { b } else { a };
                format!(
                    "{subject} is an ancestor of {descendant}, and an entity does not collide with \
                    its descendants. Make them siblings"
                )
            }
            Reason::Apart if *margin > 0.0 => {
                format!("they are {gap} apart; they must be closer than {margin}")
            }
            Reason::Apart => format!("they are {gap} apart"),
            Reason::Touching if *margin > 0.0 => format!(
                "their distance equals the touching margin of {margin}; they must be closer"
            ),
            Reason::Touching => "they only touch, which does not count as overlapping. \
                `CollisionSettings::margin` moves that limit"
                .to_string(),
            Reason::Changed => "they did not collide in the last update. Something has changed \
                since then, and they will collide in the next one"
                .to_string(),
            Reason::Carried => format!("it stands on {a}, which carries it"),
            Reason::DeepInMover => {
                format!("it is a mover that is deep in {a}, so that they are separated")
            }
            Reason::InOneWay => {
                format!("it is `OneWay`, and {a} overlapped it when the update began")
            }
            Reason::BehindOneWay => format!(
                "it is `OneWay`, and {a} was not on its blocking side when {a} began to move"
            ),
            Reason::DropsThrough => format!("{a} drops through it"),
        }
    }

    /// Why the filters of `a` do not match the memberships of `b`.
    fn layer_mismatch(&self, a: &str, b: &str, memberships: LayerMask) -> String {
        if memberships == LayerMask::NONE {
            return format!(
                "{b} is in no layer: add one to its memberships, and to the filters of {a} if it \
                is not among them"
            );
        }
        format!(
            "the filters of {a} contain none of the layers of {b} ({}): add one of them to \
            these filters",
            self.layer_names.list(memberships)
        )
    }
}

/// How deep two colliders overlap, and in which cells of grids.
fn overlap(contact: &Contact, names: [&String; 2]) -> String {
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

impl Surface {
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
