//! Which figure is nearest to which.

use bevy::prelude::*;
use bevy_thud::geometry::{Separation, separation};

use super::super::board::Figures;

/// Two figures and their separation. The normal points from `a` to `b`.
#[derive(Clone, Debug)]
pub struct Neighbor {
    pub a: Entity,
    pub b: Entity,
    pub separation: Separation,
}

impl Neighbor {
    fn is_same_pair(&self, other: &Self) -> bool {
        self.a == other.b && self.b == other.a
    }

    /// The same pair seen from `b`.
    fn flipped(&self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            separation: Separation {
                normal: -self.separation.normal,
                point_a: self.separation.point_b,
                point_b: self.separation.point_a,
                ..self.separation
            },
        }
    }
}

/// The nearest neighbor of each figure.
#[derive(Resource, Default)]
pub struct Neighbors(Vec<Neighbor>);

impl Neighbors {
    /// The nearest neighbor of a figure.
    pub fn of(&self, entity: Entity) -> Option<&Neighbor> {
        self.0.iter().find(|neighbor| neighbor.a == entity)
    }

    /// All of them, each pair once.
    pub fn pairs(&self) -> impl Iterator<Item = &Neighbor> {
        self.0.iter().enumerate().filter_map(|(at, neighbor)| {
            let is_new = !self.0[..at]
                .iter()
                .any(|other| other.is_same_pair(neighbor));
            is_new.then_some(neighbor)
        })
    }
}

pub fn find(figures: Figures, mut neighbors: ResMut<Neighbors>) {
    let mut shapes: Vec<_> = (figures.sorted().into_iter())
        .map(|(entity, figure)| (entity, figure.shape()))
        .collect();
    // Not by z, so that nothing changes when a figure comes to the top.
    shapes.sort_by_key(|(entity, _)| *entity);
    let mut nearest: Vec<Option<Neighbor>> = vec![None; shapes.len()];
    let offer = |position: &mut Option<Neighbor>, neighbor: Neighbor| {
        let before = position
            .as_ref()
            .map_or(f32::INFINITY, |old| old.separation.distance);
        if neighbor.separation.distance < before {
            *position = Some(neighbor);
        }
    };
    for (i, (a, shape)) in shapes.iter().enumerate() {
        for (j, (b, other)) in shapes.iter().enumerate().skip(i + 1) {
            let separation = separation(shape, other);
            let (a, b) = (*a, *b);
            let neighbor = Neighbor { a, b, separation };
            offer(&mut nearest[j], neighbor.flipped());
            offer(&mut nearest[i], neighbor);
        }
    }
    neighbors.0 = nearest.into_iter().flatten().collect();
}
