//! The model: a world of colliders, which of them overlap, and why pairs end.

use std::collections::BTreeMap;

use bevy::math::{DAffine2, DVec2};
use bevy_thud::CollisionEndReason;

use crate::{outline::Outline, rules::Role};

/// The skin width of all movers, the default.
pub const SKIN_WIDTH: f64 = 0.02;
/// Nearer to the limit than this, rounding decides.
pub const UNDECIDED: f64 = 2e-3;

/// The number of an entity, by spawn order.
pub type Id = usize;
/// The ids of two colliders, the lesser first.
pub type Pair = (Id, Id);

#[derive(Clone, Copy, Debug)]
pub enum Form {
    Circle {
        radius: f64,
    },
    Rect {
        size: DVec2,
    },
    /// Along the y axis.
    Capsule {
        half_length: f64,
        radius: f64,
    },
    /// Three rows of three cells of this size, from the top left: a bit for each that is solid.
    Grid {
        cells: u16,
        cell_size: DVec2,
    },
    /// Not convex.
    Arrow {
        size: f64,
    },
}

/// The vertices of an arrow of size 1, and the two triangles that it consists of.
pub const ARROW: [DVec2; 4] = [
    DVec2::new(2.0, 0.0),
    DVec2::new(-1.0, 1.5),
    DVec2::new(0.0, 0.0),
    DVec2::new(-1.0, -1.5),
];

/// An entity.
#[derive(Clone, Debug)]
pub struct Body {
    pub form: Option<Form>,
    pub position: DVec2,
    pub angle: f64,
    pub scale: DVec2,
    pub parent: Option<Id>,
    pub has_transform: bool,
    pub is_disabled: bool,
    pub is_hidden: bool,
    pub is_solid: bool,
    pub is_swept: bool,
    pub mover: Option<MoverRole>,
    /// Memberships and filters.
    pub layers: [u32; 2],
    /// What it ignores.
    pub ignored: Option<Id>,
    /// Whether its observer despawns whatever it starts to collide with.
    pub is_deadly: bool,
    /// The direction in its own frame in which movers pass it if it is solid.
    pub one_way: Option<DVec2>,
    /// Whether it lists what it collides with.
    pub has_list: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct MoverRole {
    pub blocked_by: u32,
    pub velocity: DVec2,
}

impl Body {
    pub fn new(position: DVec2) -> Self {
        Self {
            form: None,
            position,
            angle: 0.0,
            scale: DVec2::ONE,
            parent: None,
            has_transform: true,
            is_disabled: false,
            is_hidden: false,
            is_solid: false,
            is_swept: false,
            mover: None,
            layers: [u32::MAX; 2],
            ignored: None,
            is_deadly: false,
            one_way: None,
            has_list: false,
        }
    }

    /// A collider brings a `Transform` along.
    pub fn require_transform(&mut self) {
        if !self.has_transform {
            self.has_transform = true;
            (self.position, self.angle, self.scale) = (DVec2::ZERO, 0.0, DVec2::ONE);
        }
    }

    fn local_pose(&self) -> DAffine2 {
        DAffine2::from_scale_angle_translation(self.scale, self.angle, self.position)
    }

    /// Why it takes no part in collisions.
    fn absence(&self) -> Option<CollisionEndReason> {
        let is_disabled = self.is_disabled || self.is_hidden || !self.has_transform;
        match self.form {
            None => Some(CollisionEndReason::ColliderRemoved),
            _ if is_disabled => Some(CollisionEndReason::Disabled),
            _ if !self.position.is_finite() => Some(CollisionEndReason::Invalid),
            _ => None,
        }
    }
}

/// All entities, and the settings.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub bodies: BTreeMap<Id, Body>,
    pub settings: Settings,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    pub margin: f64,
    pub solid_pairs: bool,
}

fn rect(center: DVec2, x_axis: DVec2, size: DVec2) -> Outline {
    let [x, y] = [x_axis * size.x / 2.0, x_axis.perp() * size.y / 2.0];
    let signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    Outline {
        points: signs.map(|(p, q)| center + x * p + y * q).into(),
        radius: 0.0,
    }
}

/// Whether two colliders overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Overlap {
    Yes,
    No,
    /// Within rounding.
    Undecided,
}

impl World {
    /// An entity's ancestors, the nearest first.
    pub fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let parent = |id: &Id| self.bodies.get(id)?.parent;
        std::iter::successors(parent(&id), parent)
    }

    pub fn has_children(&self, id: Id) -> bool {
        self.bodies.values().any(|body| body.parent == Some(id))
    }

    /// Removes an entity with its descendants.
    pub fn despawn(&mut self, id: Id) {
        let below: Vec<Id> = (self.bodies.keys().copied())
            .filter(|&other| other == id || self.ancestors(other).any(|above| above == id))
            .collect();
        self.bodies.retain(|id, _| !below.contains(id));
    }

    /// Why a collider is absent: by its own components, or because an ancestor is not finite.
    pub fn absence(&self, id: Id) -> Option<CollisionEndReason> {
        let Some(body) = self.bodies.get(&id) else {
            return Some(CollisionEndReason::Despawned);
        };
        let is_lost =
            || (self.ancestors(id)).any(|above| !self.bodies[&above].position.is_finite());
        (body.absence()).or_else(|| is_lost().then_some(CollisionEndReason::Invalid))
    }

    /// The mover that an entity moves with.
    pub fn body_of(&self, id: Id) -> Option<Id> {
        let mut line = [id].into_iter().chain(self.ancestors(id));
        line.find(|id| self.bodies[id].mover.is_some())
    }

    /// Where an entity is in the world.
    pub fn pose(&self, id: Id) -> DAffine2 {
        let local = self.bodies[&id].local_pose();
        (self.ancestors(id)).fold(local, |pose, above| self.bodies[&above].local_pose() * pose)
    }

    /// The convex pieces of a collider in the world. Shear is ignored.
    pub fn outlines(&self, id: Id) -> Vec<Outline> {
        let (body, pose) = (&self.bodies[&id], self.pose(id));
        let (center, axes) = (pose.translation, pose.matrix2);
        let [width, height] = [axes.x_axis.length(), axes.y_axis.length()];
        let x = axes.x_axis / width;
        let outline = |points: Vec<DVec2>, radius| vec![Outline { points, radius }];
        match body.form.expect("a collider") {
            Form::Circle { radius } => outline(vec![center], radius * width.max(height)),
            Form::Rect { size } => vec![rect(center, x, size * DVec2::new(width, height))],
            Form::Capsule {
                half_length,
                radius,
            } => {
                let in_world = radius * width;
                let half = ((half_length + radius) * height - in_world).max(0.0);
                let along = axes.y_axis / height * half;
                outline(vec![center + along, center - along], in_world)
            }
            Form::Grid { cells, cell_size } => {
                let size = DVec2::new(cell_size.x * width, cell_size.y * height);
                let is_solid = |index: &u8| cells & (1 << index) != 0;
                let at =
                    |index: u8| DVec2::new(f64::from(index % 3) - 1.0, 1.0 - f64::from(index / 3));
                let y = x.perp() * axes.determinant().signum();
                let cell = |index: u8| {
                    let center = center + x * size.x * at(index).x + y * size.y * at(index).y;
                    rect(center, x, size)
                };
                (0..9).filter(is_solid).map(cell).collect()
            }
            Form::Arrow { size } => {
                let y = x.perp() * axes.determinant().signum() * height;
                let points = ARROW.map(|at| center + (axes.x_axis * at.x + y * at.y) * size);
                [[0, 1, 2], [0, 2, 3]]
                    .map(|triangle| Outline {
                        points: triangle.map(|index| points[index]).into(),
                        radius: 0.0,
                    })
                    .into()
            }
        }
    }

    fn role(&self, id: Id) -> Role<Id> {
        let body = &self.bodies[&id];
        Role {
            id,
            memberships: body.layers[0],
            filters: body.layers[1],
            ignored: [Some(id), self.body_of(id)]
                .into_iter()
                .flatten()
                .filter_map(|id| self.bodies[&id].ignored)
                .collect(),
            is_solid: body.is_solid,
            is_swept: body.is_swept,
            blocked_by: body.mover.map(|mover| mover.blocked_by),
            body: self.body_of(id),
            ancestors: self.ancestors(id).collect(),
        }
    }

    /// Whether the rules let two present colliders collide.
    pub fn may_collide(&self, (a, b): Pair) -> bool {
        (self.role(a)).may_collide(&self.role(b), self.settings.solid_pairs)
    }

    pub fn blocks(&self, wall: Id, mover: Id) -> bool {
        self.role(mover).is_blocked_by(&self.role(wall))
    }

    /// The least and the greatest coordinate of a collider along an axis of unit length.
    pub fn extent(&self, id: Id, axis: DVec2) -> [f64; 2] {
        let outlines = self.outlines(id).into_iter();
        let extents = outlines.map(|outline| {
            let [low, high] = outline.extent(axis);
            [low - outline.radius, high + outline.radius]
        });
        let nothing = [f64::INFINITY, f64::NEG_INFINITY];
        extents.fold(nothing, |[low, high], [p, q]| [low.min(p), high.max(q)])
    }

    /// The distance between two present colliders; negative if they overlap.
    pub fn distance(&self, (a, b): Pair) -> f64 {
        let (p, q) = (self.outlines(a), self.outlines(b));
        let distances = p.iter().flat_map(|p| q.iter().map(|q| p.distance(q)));
        distances.fold(f64::INFINITY, f64::min)
    }

    /// Whether two colliders overlap, by every rule.
    pub fn overlap(&self, pair: Pair) -> Overlap {
        let (a, b) = pair;
        if self.absence(a).or(self.absence(b)).is_some() || !self.may_collide(pair) {
            return Overlap::No;
        }
        let limit = (self.role(a)).overlap_distance(&self.role(b), self.settings.margin);
        match self.distance(pair) - limit {
            off if off.abs() < UNDECIDED => Overlap::Undecided,
            off if off < 0.0 => Overlap::Yes,
            _ => Overlap::No,
        }
    }

    /// Why two colliders stopped overlapping.
    pub fn end_reason(&self, pair: Pair) -> CollisionEndReason {
        let absence = [pair.0, pair.1]
            .into_iter()
            .filter_map(|id| self.absence(id));
        match absence.min() {
            Some(reason) => reason,
            None if self.may_collide(pair) => CollisionEndReason::Separated,
            None => CollisionEndReason::Filtered,
        }
    }
}
