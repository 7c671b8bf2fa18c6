//! Vertices of a polygon: dragged, added and removed.

use super::*;

const SQUARE: [(f32, f32); 4] = [(-30.0, -30.0), (30.0, -30.0), (30.0, 30.0), (-30.0, 30.0)];

/// Where the vertices of a polygon are in the world.
fn vertices(figure: &Figure) -> Vec<Vec2> {
    match &figure.form {
        Form::Polygon(polygon) => (polygon.vertices().iter())
            .map(|vertex| figure.to_world(*vertex))
            .collect(),
        other => panic!("{other:?} is no polygon"),
    }
}

/// Asserts that the vertices are where they were, except for the given ones.
#[track_caller]
fn assert_moved(before: &Figure, after: &Figure, moved: &[usize], way: Vec2) {
    let (before, after) = (vertices(before), vertices(after));
    assert_eq!(before.len(), after.len());
    for (index, (p, q)) in before.iter().zip(&after).enumerate() {
        let way = if moved.contains(&index) {
            way
        } else {
            Vec2::ZERO
        };
        assert_near(p + way, *q);
    }
}

#[test]
fn a_dragged_vertex_follows_the_mouse_and_the_others_stay() {
    for outline in [polygon(ARROW), polygon(GEM)] {
        for figure in posed(outline) {
            for (index, from) in vertices(&figure).into_iter().enumerate() {
                let way = (from - figure.position) / 4.0 + Vec2::new(3.0, -5.0);
                let dragged = figure.dragged(Grip::Vertex(index), from, from + way);
                assert_moved(&figure, &dragged.unwrap(), &[index], way);
            }
        }
    }
}

#[test]
fn a_dragged_side_takes_both_of_its_ends_along() {
    for figure in posed(polygon(SQUARE)) {
        for index in 0..4 {
            let way = Vec2::new(-4.0, 9.0);
            let from = figure.position;
            let dragged = figure.dragged(Grip::Edge(index), from, from + way);
            assert_moved(&figure, &dragged.unwrap(), &[index, (index + 1) % 4], way);
        }
    }
}

#[test]
fn a_vertex_may_turn_in() {
    let figure = Figure::new(polygon(SQUARE), Vec2::ZERO, 0.0);
    let dragged = figure.dragged(Grip::Vertex(2), Vec2::ZERO, Vec2::splat(-40.0));
    let dragged = dragged.unwrap();
    assert_moved(&figure, &dragged, &[2], Vec2::splat(-40.0));
    assert_eq!(dragged.form.kind().pieces().len(), 2);
}

#[test]
fn a_vertex_is_not_dragged_across_a_side() {
    for figure in posed(polygon(SQUARE)) {
        let corner = vertices(&figure)[2];
        // Onto a vertex, onto an edge, across two edges, and almost to an edge.
        for (x, y) in [(-60.0, -60.0), (-30.0, -60.0), (-90.0, -90.0), (-58.0, 0.0)] {
            let to = corner + figure.direction_to_world(Vec2::new(x, y));
            assert_eq!(
                figure.dragged(Grip::Vertex(2), corner, to),
                None,
                "{x}, {y}"
            );
        }
    }
}

#[test]
fn a_triangle_is_not_turned_inside_out() {
    let triangle = polygon([(-30.0, 0.0), (30.0, 0.0), (0.0, 50.0)]);
    for figure in posed(triangle) {
        let tip = vertices(&figure)[2];
        let to = tip - figure.direction_to_world(Vec2::Y * 100.0);
        assert_eq!(figure.dragged(Grip::Vertex(2), tip, to), None);
    }
}

#[test]
fn a_side_gains_a_vertex_and_loses_it_again() {
    for figure in posed(polygon(SQUARE)) {
        let on_side = figure.to_world(Vec2::new(30.0, 12.0));
        let added = figure.edited(Some(Grip::Edge(1)), on_side).unwrap();
        assert_eq!(vertices(&added).len(), 5);
        assert_near(vertices(&added)[2], on_side);
        assert_eq!(added.grip_at(on_side, PIXEL, false), Some(Grip::Vertex(2)));

        let removed = added.edited(Some(Grip::Vertex(2)), on_side).unwrap();
        assert_moved(&figure, &removed, &[], Vec2::ZERO);
    }
}

#[test]
fn a_triangle_keeps_its_vertices() {
    let figure = Figure::new(
        polygon([(0.0, 0.0), (60.0, 0.0), (0.0, 50.0)]),
        Vec2::ZERO,
        0.0,
    );
    assert_eq!(figure.edited(Some(Grip::Vertex(1)), Vec2::ZERO), None);
    assert_eq!(figure.edited(Some(Grip::Body), Vec2::ZERO), None);
}

#[test]
fn pieces_cover_what_the_outline_of_a_polygon_does() {
    let area = |outline: &Vec<Vec2>| {
        let ends = outline.iter().cycle().skip(1);
        let sides = outline.iter().zip(ends);
        sides.map(|(p, q)| p.perp_dot(*q) / 2.0).sum::<f32>()
    };
    for form in [polygon(ARROW), polygon(GEM)] {
        let [outlines, pieces] = [form.kind().outlines(), form.kind().pieces()];
        let [whole, parts]: [f32; 2] = [&outlines, &pieces].map(|all| all.iter().map(area).sum());
        assert!((whole - parts).abs() < 0.1, "{form:?}: {whole} and {parts}");
    }
}

#[test]
fn the_stalk_stands_on_the_outline_above_the_middle() {
    for outline in [polygon(ARROW), polygon(GEM), polygon(SQUARE)] {
        let top = outline.kind().top().unwrap();
        assert!(top.x.abs() < TOLERANCE && top.y > 0.0, "{top}");
        let edges = outline.kind().handles();
        assert!(edges.iter().any(|edge| edge.distance(top) < TOLERANCE));
    }
}
