//! A faint grid that shows zooming and panning.

use bevy::prelude::*;

use super::super::page::palette;
use super::pen::{Pen, Stroke};

/// The smallest distance between lines, in pixels.
const LEAST_PIXELS: f32 = 40.0;

pub fn draw(mut pen: Pen) {
    let area = pen.view.area();
    let step = spacing(LEAST_PIXELS * pen.pixel());
    for axis in [Vec2::X, Vec2::Y] {
        let (from, to) = (area.min.dot(axis), area.max.dot(axis));
        for number in (from / step).ceil() as i32..=(to / step).floor() as i32 {
            let across = axis * number as f32 * step;
            let ends = [area.min, area.max].map(|end| across + end * axis.yx());
            let color = if number == 0 {
                palette::AXES
            } else {
                palette::GRID
            };
            pen.strip(Stroke::Fine, ends, color);
        }
    }
}

/// The smallest 1, 2 or 5 times a power of ten that is not below a number.
fn spacing(least: f32) -> f32 {
    let power = 10f32.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let enough = factors.into_iter().find(|step| *step >= least);
    enough.unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::spacing;

    #[test]
    fn grids_are_of_round_numbers() {
        for (least, expected) in [(40.0, 50.0), (50.0, 50.0), (51.0, 100.0), (0.3, 0.5)] {
            assert!((spacing(least) - expected).abs() < 1e-4, "{least}");
        }
    }
}
