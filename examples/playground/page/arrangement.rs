//! Finds places for labels near what they describe, without overlaps.

use std::f32::consts::PI;

use bevy::prelude::*;

/// Distances from the anchor to the label, in pixels: the first free one is taken.
const GAPS: [f32; 3] = [10.0, 26.0, 44.0];
/// How far a label may be rotated away from its direction, in radians.
const TURNS: [f32; 8] = [0.0, 0.6, -0.6, 1.2, -1.2, 2.0, -2.0, PI];

/// A label that needs a place. All values are in pixels, with y pointing down.
pub struct Wish {
    pub anchor: Vec2,
    /// The direction from the anchor, of length 1, or zero if the label is centered on it.
    pub toward: Vec2,
    pub size: Vec2,
}

/// The places of all labels. Each avoids those before it and the areas that are taken already. A
/// label that finds no place in the area gets its first choice.
pub fn arrange(wishes: &[Wish], mut taken: Vec<Rect>, area: Rect) -> Vec<Rect> {
    let mut places = Vec::with_capacity(wishes.len());
    for wish in wishes {
        let is_free = |place: &Rect| {
            area.contains(place.min)
                && area.contains(place.max)
                && taken.iter().all(|other| place.intersect(*other).is_empty())
        };
        let place = candidates(wish).find(is_free);
        let place = place.unwrap_or_else(|| beside(wish, wish.toward, GAPS[0]));
        taken.push(place);
        places.push(place);
    }
    places
}

fn candidates(wish: &Wish) -> impl Iterator<Item = Rect> {
    let (upon, toward) = if wish.toward == Vec2::ZERO {
        let upon = Rect::from_center_size(wish.anchor, wish.size);
        (Some(upon), Vec2::Y)
    } else {
        (None, wish.toward)
    };
    let gaps = GAPS.iter();
    let around = gaps.flat_map(move |gap| {
        let turns = TURNS.iter();
        turns.map(move |turn| beside(wish, Vec2::from_angle(*turn).rotate(toward), *gap))
    });
    upon.into_iter().chain(around)
}

/// The place in a direction from the anchor, with a gap between the two.
fn beside(wish: &Wish, direction: Vec2, gap: f32) -> Rect {
    let reach = (wish.size / 2.0 * direction.abs()).element_sum();
    let middle = wish.anchor + direction * (gap + reach);
    Rect::from_center_size(middle, wish.size)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Rect = Rect {
        min: Vec2::ZERO,
        max: Vec2::new(400.0, 300.0),
    };

    fn wish(x: f32, y: f32, toward: Vec2) -> Wish {
        Wish {
            anchor: Vec2::new(x, y),
            toward,
            size: Vec2::new(60.0, 16.0),
        }
    }

    #[test]
    fn a_label_lies_where_it_should() {
        let place = arrange(&[wish(200.0, 150.0, Vec2::X)], vec![], AREA)[0];
        assert_eq!(place.min, Vec2::new(210.0, 142.0));
    }

    #[test]
    fn labels_of_the_same_point_do_not_cover_each_other() {
        let wishes: Vec<_> = (0..8).map(|_| wish(200.0, 150.0, Vec2::Y)).collect();
        let places = arrange(&wishes, vec![], AREA);
        for (at, place) in places.iter().enumerate() {
            let mut others = places[at + 1..].iter();
            assert!(others.all(|other| place.intersect(*other).is_empty()));
        }
    }

    #[test]
    fn a_label_at_the_edge_turns_inwards() {
        let place = arrange(&[wish(395.0, 150.0, Vec2::X)], vec![], AREA)[0];
        assert!(AREA.contains(place.max), "{place:?}");
    }

    #[test]
    fn a_label_without_a_free_place_gets_its_first_choice() {
        let place = arrange(&[wish(200.0, 150.0, Vec2::ZERO)], vec![AREA], AREA)[0];
        assert_eq!(place.center(), Vec2::new(200.0, 150.0));
    }
}
