//! What a drag makes of each shape.

use std::f32::consts::FRAC_PI_2;

use super::*;

const CORNERS: [Vec2; 4] = [
    Vec2::new(1.0, 1.0),
    Vec2::new(-1.0, 1.0),
    Vec2::new(-1.0, -1.0),
    Vec2::new(1.0, -1.0),
];
const SIDES: [Vec2; 4] = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];

fn size(figure: &Figure) -> Vec2 {
    match &figure.form {
        Form::Rect(rect) => rect.size,
        other => panic!("{other:?} is no rectangle"),
    }
}

fn radius(figure: &Figure) -> f32 {
    match &figure.form {
        Form::Circle(circle) => circle.radius,
        Form::Capsule(capsule) => capsule.radius,
        other => panic!("{other:?} has no radius"),
    }
}

/// A corner of a rectangle, or the midpoint of an edge, in the world.
fn at(figure: &Figure, side: Vec2) -> Vec2 {
    figure.to_world(side * size(figure) / 2.0)
}

#[test]
fn a_dragged_corner_follows_the_mouse_and_its_opposite_stays() {
    for figure in posed(rect(100.0, 60.0)) {
        for corner in CORNERS {
            let from = at(&figure, corner);
            let to = from + figure.direction_to_world(corner * Vec2::new(12.0, 30.0));
            let dragged = figure.dragged(Grip::Side(corner), from, to).unwrap();
            assert_near(at(&dragged, corner), to);
            assert_near(at(&dragged, -corner), at(&figure, -corner));
            assert_eq!(dragged.angle, figure.angle);
        }
    }
}

#[test]
fn a_dragged_side_moves_along_its_normal_and_its_opposite_stays() {
    for figure in posed(rect(100.0, 60.0)) {
        for side in SIDES {
            let from = at(&figure, side + side.perp() / 2.0);
            let aside = figure.direction_to_world(side.perp() * 40.0);
            let outwards = figure.direction_to_world(side * 15.0);
            let dragged = figure
                .dragged(Grip::Side(side), from, from + outwards + aside)
                .unwrap();
            assert_near(at(&dragged, side), at(&figure, side) + outwards);
            assert_near(at(&dragged, -side), at(&figure, -side));
            let across = |figure: &Figure| size(figure).dot(side.perp().abs());
            assert_eq!(across(&dragged), across(&figure));
        }
    }
}

#[test]
fn a_corner_dragged_past_its_opposite_stops_at_the_least_size() {
    for figure in posed(rect(100.0, 60.0)) {
        let from = at(&figure, CORNERS[0]);
        let to = from - figure.direction_to_world(Vec2::splat(1e4));
        let dragged = figure.dragged(Grip::Side(CORNERS[0]), from, to).unwrap();
        assert_eq!(size(&dragged), Vec2::splat(10.0));
        assert_near(at(&dragged, CORNERS[2]), at(&figure, CORNERS[2]));
    }
}

#[test]
fn the_rim_of_a_circle_follows_the_mouse() {
    for figure in posed(circle(40.0)) {
        let from = figure.to_world(Vec2::new(40.0, 0.0));
        let to = figure.to_world(Vec2::new(0.0, 70.0));
        let dragged = figure.dragged(Grip::Rim, from, to).unwrap();
        assert!((radius(&dragged) - 70.0).abs() < TOLERANCE);
        assert_near(dragged.position, figure.position);
        let dragged = figure.dragged(Grip::Rim, from, figure.position).unwrap();
        assert_eq!(radius(&dragged), 5.0);
    }
}

#[test]
fn a_dragged_end_of_a_capsule_leaves_the_other_one_where_it_is() {
    let end = |figure: &Figure, side: f32| match &figure.form {
        Form::Capsule(CapsuleCollider { start, end, radius }) => {
            let center = if side > 0.0 { *end } else { *start };
            figure.to_world(center + Vec2::Y * side * radius)
        }
        other => panic!("{other:?} is no capsule"),
    };
    for figure in posed(capsule(20.0, 80.0)) {
        for side in [1.0, -1.0] {
            let from = end(&figure, side);
            for (pulled, moved) in [(25.0, 25.0), (-30.0, -30.0), (-1e4, -75.0)] {
                let way = figure.direction_to_world(Vec2::Y * side);
                let dragged = figure
                    .dragged(Grip::End(side), from, from + way * pulled)
                    .unwrap();
                assert_near(end(&dragged, side), from + way * moved);
                assert_near(end(&dragged, -side), end(&figure, -side));
            }
        }
    }
}

#[test]
fn the_sides_of_a_capsule_move_together() {
    for figure in posed(capsule(20.0, 80.0)) {
        for side in [1.0, -1.0] {
            let from = figure.to_world(Vec2::X * side * 20.0);
            let to = figure.to_world(Vec2::new(side * 33.0, 9.0));
            let dragged = figure.dragged(Grip::Flank(side), from, to).unwrap();
            assert!((radius(&dragged) - 33.0).abs() < TOLERANCE);
            assert_near(dragged.position, figure.position);
            let inwards = figure.to_world(Vec2::X * side * -500.0);
            let dragged = figure.dragged(Grip::Flank(side), from, inwards).unwrap();
            assert_eq!(radius(&dragged), 5.0);
        }
    }
}

#[test]
fn the_inside_moves_and_the_knob_turns() {
    for figure in posed(capsule(20.0, 80.0)) {
        let (from, way) = (figure.position + Vec2::ONE, Vec2::new(31.0, -4.0));
        let moved = figure.dragged(Grip::Body, from, from + way).unwrap();
        assert_near(moved.position, figure.position + way);
        assert_eq!((&moved.form, moved.angle), (&figure.form, figure.angle));

        let [_, knob] = figure.stalk(PIXEL).unwrap();
        let from = figure.to_world(knob);
        let to = figure.position + (from - figure.position).perp() * 3.0;
        let turned = figure.dragged(Grip::Knob, from, to).unwrap();
        let [_, knob] = turned.stalk(PIXEL).unwrap();
        assert_near(
            (turned.to_world(knob) - turned.position).normalize(),
            (to - turned.position).normalize(),
        );
        assert_near(turned.position, figure.position);
    }
}

#[test]
fn a_turn_snaps_to_the_nearest_step() {
    let figure = Figure::new(rect(10.0, 10.0), Vec2::ZERO, 1.4);
    assert_eq!(figure.snapped(FRAC_PI_2).angle, FRAC_PI_2);
}

#[test]
fn a_figure_survives_its_transform() {
    for figure in posed(rect(100.0, 60.0)) {
        let back = Figure::of(&figure.form, &figure.transform(0.5));
        assert_near(back.position, figure.position);
        assert_near(Vec2::from_angle(back.angle), Vec2::from_angle(figure.angle));
    }
}

#[test]
fn whatever_is_dragged_stays_a_shape() {
    let ways = [
        Vec2::ZERO,
        Vec2::new(-1e5, 1e5),
        Vec2::new(3e4, -7.0),
        Vec2::NEG_Y * 33.0,
    ];
    for start in Form::starters().into_iter().flat_map(posed) {
        let mut grips: Vec<Grip> = start.form.kind().handles().iter().map(|h| h.grip).collect();
        grips.extend([Grip::Body, Grip::Knob]);
        for grip in grips {
            let mut figure = start.clone();
            for way in ways {
                figure = figure
                    .dragged(grip, figure.position, figure.position + way)
                    .unwrap_or(figure);
                let shape = figure.shape();
                let size = shape.aabb().max - shape.aabb().min;
                assert!(shape.is_finite() && size.min_element() > 5.0, "{figure:?}");
            }
        }
    }
}
