//! The separation of each figure from its nearest neighbor.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::page::{Labels, palette};
use super::{
    neighbors::Neighbors,
    pen::{Pen, Stroke},
};

pub fn draw(
    neighbors: Res<Neighbors>,
    collisions: Collisions,
    mut pen: Pen,
    mut labels: ResMut<Labels>,
) {
    let apart = neighbors
        .pairs()
        .filter(|pair| !collisions.contains(pair.a, pair.b));
    for neighbor in apart {
        let separation = neighbor.separation;
        let ends = [separation.point_a, separation.point_b];
        pen.strip(Stroke::Fine, ends, palette::DISTANCE);
        labels.keep_off(ends);
        for end in ends {
            pen.dot(end, palette::DISTANCE);
        }
        let aside = upwards(separation.normal.perp());
        let text = format!("{:.1}", separation.distance);
        labels.write(ends[0].midpoint(ends[1]), aside, palette::DISTANCE, text);
    }
}

/// A direction or its opposite, whichever points up or to the right.
fn upwards(direction: Vec2) -> Vec2 {
    let is_down = direction.y < -1e-3 || (direction.y < 1e-3 && direction.x < 0.0);
    if is_down { -direction } else { direction }
}
