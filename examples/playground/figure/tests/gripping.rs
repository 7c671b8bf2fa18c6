//! What is gripped at a point.

use super::*;

#[test]
fn corners_come_before_sides_and_sides_before_the_inside() {
    let cases = [
        (Vec2::new(50.0, 30.0), Some(Grip::Side(Vec2::ONE))),
        (Vec2::new(-53.0, -33.0), Some(Grip::Side(-Vec2::ONE))),
        // At the corner both edges are within reach as well.
        (Vec2::new(46.0, 28.0), Some(Grip::Side(Vec2::ONE))),
        (Vec2::new(10.0, 33.0), Some(Grip::Side(Vec2::Y))),
        (Vec2::new(-47.0, 3.0), Some(Grip::Side(Vec2::NEG_X))),
        (Vec2::new(20.0, 10.0), Some(Grip::Body)),
        (Vec2::new(70.0, 0.0), None),
    ];
    for figure in posed(rect(100.0, 60.0)) {
        for (own, expected) in cases {
            let grip = figure.grip_at(figure.to_world(own), PIXEL, false);
            assert_eq!(grip, expected, "{own}");
        }
    }
}

#[test]
fn round_things_are_gripped_at_their_rims() {
    let grip = |figure: &Figure, own| figure.grip_at(figure.to_world(own), PIXEL, false);
    for figure in posed(circle(40.0)) {
        assert_eq!(grip(&figure, Vec2::new(24.0, 32.0)), Some(Grip::Rim));
        assert_eq!(grip(&figure, Vec2::new(0.0, 20.0)), Some(Grip::Body));
        assert_eq!(grip(&figure, Vec2::new(0.0, 50.0)), None);
    }
    for figure in posed(capsule(20.0, 80.0)) {
        assert_eq!(grip(&figure, Vec2::new(0.0, 61.0)), Some(Grip::End(1.0)));
        assert_eq!(grip(&figure, Vec2::new(9.0, -57.0)), Some(Grip::End(-1.0)));
        assert_eq!(
            grip(&figure, Vec2::new(-21.0, 10.0)),
            Some(Grip::Flank(-1.0))
        );
        assert_eq!(grip(&figure, Vec2::new(0.0, 30.0)), Some(Grip::Body));
    }
}

#[test]
fn a_knob_is_there_only_where_it_is_shown() {
    let figure = Figure::new(rect(100.0, 60.0), Vec2::ZERO, 0.0);
    let [foot, knob] = figure.stalk(PIXEL).unwrap();
    assert_eq!(figure.grip_at(knob, PIXEL, true), Some(Grip::Knob));
    // On the way to it as well, or it would vanish before the mouse gets there.
    assert_eq!(
        figure.grip_at(foot.midpoint(knob), PIXEL, true),
        Some(Grip::Knob)
    );
    assert_eq!(figure.grip_at(knob, PIXEL, false), None);
    // The rotation of a circle cannot be seen.
    assert!(
        Figure::new(circle(40.0), Vec2::ZERO, 0.0)
            .stalk(PIXEL)
            .is_none()
    );
}

#[test]
fn the_smallest_figures_can_still_be_moved() {
    for form in [circle(5.0), rect(10.0, 10.0), capsule(5.0, 5.0)] {
        for pixel in [0.1, 1.0, 10.0] {
            let figure = Figure::new(form.clone(), Vec2::new(3.0, 4.0), 0.7);
            let grip = figure.grip_at(figure.position, pixel, false);
            assert_eq!(grip, Some(Grip::Body), "{form:?} at {pixel}");
        }
    }
}

#[test]
fn letters_are_written_inside() {
    for figure in Form::starters().into_iter().flat_map(posed) {
        assert!(contains_point(&figure.shape(), figure.letter_place()));
    }
}

#[test]
fn handles_lie_on_the_outlines() {
    for form in Form::starters() {
        let closed = |mut outline: Vec<Vec2>| {
            outline.extend(outline.first().copied());
            Handle::new(Grip::Body, Pull::Anywhere, outline)
        };
        let kind = form.kind();
        let lines = kind.outlines().into_iter().chain(kind.frame());
        let outlines: Vec<Handle> = lines.map(closed).collect();
        for handle in form.kind().handles() {
            for point in &handle.track {
                let is_on = |outline: &Handle| outline.distance(*point) < 0.1;
                assert!(outlines.iter().any(is_on), "{:?} of {form:?}", handle.grip);
            }
        }
    }
}
