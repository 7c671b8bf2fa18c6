//! The field of boxes, and the queries in it.

use bevy::prelude::*;

const CELLS: u32 = 1000;
const FILL: f32 = 0.1;
/// How many queries of each kind there are.
pub const QUERIES: usize = 10_000;
const CAST_RADIUS: f32 = 0.1;
/// Half of the width of the squares that are looked into.
const OVERLAP_RADIUS: f32 = 5.0;

/// A box that is not rotated.
pub struct FieldBox {
    pub center: Vec2,
    pub half_size: Vec2,
    /// 0 to 2. Queries are for 0.
    pub layer: u32,
}

/// From a start to an end.
pub struct FieldCast {
    pub origin: Vec2,
    pub displacement: Vec2,
}

/// A kind of query. Each has the same inputs in all engines.
#[derive(Clone, Copy)]
pub enum FieldQuery {
    Ray,
    CircleCast { radius: f32 },
    Overlap { radius: f32 },
}

impl FieldQuery {
    pub const ALL: [Self; 3] = [
        Self::Ray,
        Self::CircleCast {
            radius: CAST_RADIUS,
        },
        Self::Overlap {
            radius: OVERLAP_RADIUS,
        },
    ];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ray => "rays across the world",
            Self::CircleCast { .. } => "circle casts across it",
            Self::Overlap { .. } => "overlaps of 10 by 10 units",
        }
    }
}

/// All boxes, longer in one direction by up to five times.
pub fn boxes(rng: &mut fastrand::Rng) -> Vec<FieldBox> {
    let mut boxes = Vec::new();
    for cell in 0..CELLS * CELLS {
        if rng.f32() > FILL {
            continue;
        }
        let half_width = 0.05 + 0.2 * rng.f32();
        let long = Vec2::new(1.0 + 4.0 * rng.f32(), 1.0) * half_width;
        boxes.push(FieldBox {
            center: UVec2::new(cell % CELLS, cell / CELLS).as_vec2(),
            half_size: if rng.bool() { long } else { long.yx() },
            layer: rng.u32(0..3),
        });
    }
    boxes
}

/// All casts. Overlaps are at their origins.
pub fn casts(rng: &mut fastrand::Rng) -> Vec<FieldCast> {
    (0..QUERIES).map(|_| cast(rng)).collect()
}

fn cast(rng: &mut fastrand::Rng) -> FieldCast {
    let [origin, end] = [(); 2].map(|()| CELLS as f32 * Vec2::new(rng.f32(), rng.f32()));
    FieldCast {
        origin,
        displacement: end - origin,
    }
}
