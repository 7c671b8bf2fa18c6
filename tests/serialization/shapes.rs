//! Polygons and grids: how they are written, and what is checked when they are read.

use proptest::prelude::*;

use super::*;

#[test]
fn polygons_that_are_read_are_checked() {
    let polygon = |points| format!("(polygon: [{points}])");
    let square = polygon("(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)");
    let square: PolygonCollider = ron::from_str(&square).unwrap();
    assert_eq!(square.vertices().len(), 4);
    let flat = polygon("(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)");
    let error = ron::from_str::<PolygonCollider>(&flat).unwrap_err();
    assert!(error.to_string().contains("no area"), "{error}");
    // An outline that touches itself does not end there.
    let touches = polygon("(0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)");
    let touches: PolygonCollider = ron::from_str(&touches).unwrap();
    assert_round_trip(&touches);
}

#[test]
fn an_outline_is_written_as_its_points_and_several_with_their_ends() {
    let triangle = |x: f32| [(x, 0.0), (x + 4.0, 0.0), (x, 4.0)].map(Vec2::from);
    let single = PolygonCollider::new(triangle(0.0)).unwrap();
    let text = ron::to_string(&single).unwrap();
    assert_eq!(text, "(polygon:[(0.0,0.0),(4.0,0.0),(0.0,4.0)])");
    let several = PolygonCollider::from_outlines([triangle(0.0), triangle(5.0)]).unwrap();
    let text = ron::to_string(&several).unwrap();
    let first = "(0.0,4.0),(0.0,0.0),(4.0,0.0),(0.0,4.0)";
    let second = "(5.0,4.0),(5.0,0.0),(9.0,0.0),(5.0,4.0)";
    assert_eq!(text, format!("(polygon:[{first},{second}])"));
    // One outline may end with its first point as well, even twice.
    for end in ["", ",(0.0,0.0)", ",(0.0,0.0),(0.0,0.0)"] {
        let text = format!("(polygon:[(0.0,0.0),(4.0,0.0),(0.0,4.0){end}])");
        assert_eq!(
            ron::from_str::<PolygonCollider>(&text).as_ref(),
            Ok(&single)
        );
    }
    let unfinished = format!("(polygon:[{first},(5.0,0.0),(9.0,0.0)])");
    let error = ron::from_str::<PolygonCollider>(&unfinished).unwrap_err();
    assert!(error.to_string().contains("outline 1"), "{error}");
}

#[test]
fn grids_are_written_as_rows_of_text() {
    let text = ron::to_string(&map()).unwrap();
    assert!(text.contains(r##"rows:["#..#","....",".##."]"##), "{text}");
}

#[test]
fn grids_that_are_left_without_an_offset_are_at_their_entity() {
    let text = r##"(tiles: (cell_size: (0.1, 4.0), rows: ["#..#", "....", ".##"]))"##;
    assert_eq!(ron::from_str(text), Ok(map()));
}

#[test]
fn grids_of_any_size_come_back() {
    for columns in [0, 1, 5, 64, 65, 300, 65_535] {
        for rows in [0, 1, 5, 64, 65, 300, 65_535] {
            let mut map = TileCollider::new(columns, rows, Vec2::new(2.0, 0.5));
            assert_round_trip(&map);
            for cell in [(0, 0), (columns / 2, rows / 2), (columns, rows)] {
                map.set(UVec2::from(cell).saturating_sub(UVec2::ONE), true);
            }
            assert_round_trip(&map);
            let text = ron::to_string(&map).unwrap();
            assert!(text.len() < 100_000, "{columns} {rows}: {}", text.len());
        }
    }
}

#[test]
fn large_grids_are_written_as_spans_of_solid_cells() {
    let mut map = TileCollider::new(8000, 9000, Vec2::ONE);
    for (x, y) in [(3, 5), (7999, 5), (70, 8999), (72, 8999), (89, 8999)] {
        map.set(UVec2::new(x, y), true);
    }
    let text = ron::to_string(&map).unwrap();
    let size = "size:(8000,9000),rows:[],";
    let spans = r##"spans:[((3,5),"#"),((7999,5),"#"),((70,8999),"#.#"),((89,8999),"#")]"##;
    assert!(text.contains(&format!("{size}{spans}")), "{text}");
}

#[test]
fn grids_with_numbers_come_back() {
    let slope = CellShape::slope(0.0, 0.5);
    let kinds = (1..=255).map(|number| (number, slope.rotated(number.into())));
    let shapes = kinds.fold(CellShapes::new(), |shapes, (number, shape)| {
        shapes.with(number, shape)
    });
    let shapes = shapes.with(7, CellShape::FULL).with(9, CellShape::empty());
    for columns in [1, 16, 300, 9000] {
        let mut map = TileCollider::from_int_grid(columns, 0..260, Vec2::new(2.0, 0.5), &shapes);
        assert_round_trip(&map);
        map.set_number(UVec2::ZERO, 255);
        map.set(UVec2::ZERO, true);
        assert_eq!(map.number(UVec2::ZERO), 7);
        assert_round_trip(&map);
    }
    let text = r##"(
        cell_size: (1.0, 1.0), rows: ["..2", "111"],
        shapes: Some([(1, [(0, 0), (1, 0), (1, 1), (0, 1)]), (2, [(0, 0), (1, 0), (1, 1)])]),
    )"##;
    let tiles: Tiles = ron::from_str(text).unwrap();
    let full = [0, 1, 2].map(|column| tiles.is_solid(UVec2::new(column, 1)));
    assert_eq!(full, [true; 3]);
    let cell = tiles.cell_shape(UVec2::new(2, 0));
    assert_eq!(cell, Some(&CellShape::slope(0.0, 1.0)));
    // What is not a shape of a cell is an error.
    let wrong = text.replace("(1, 1)])]", "(2, 1)])]");
    assert!(ron::from_str::<Tiles>(&wrong).is_err());
}

#[test]
fn rows_and_spans_of_text_may_be_written_by_hand() {
    let text = r##"(
        cell_size: (1.0, 1.0), rows: ["@.", "", " #"], size: (2, 1), spans: [((4, 3), "#. #")]
    )"##;
    let tiles: Tiles = ron::from_str(text).unwrap();
    assert_eq!(tiles.size(), UVec2::new(8, 4));
    let solid = [(0, 0), (1, 2), (4, 3), (7, 3)].map(UVec2::from);
    assert_eq!(tiles.solid_cells().collect::<Vec<_>>(), solid);
}

#[test]
fn text_beyond_the_largest_grid_is_left_out() {
    let spans =
        r##"((65534, 65534), "#.x."), ((4294967295, 4294967295), "xx"), ((9, 70000), "x")"##;
    let text = format!("(cell_size: (1.0, 1.0), size: (4294967295, 0), spans: [{spans}])");
    let tiles: Tiles = ron::from_str(&text).unwrap();
    assert_eq!(tiles.size(), UVec2::splat(65_535));
    assert_eq!(
        tiles.solid_cells().collect::<Vec<_>>(),
        [UVec2::splat(65_534)]
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grids_of_any_density_come_back(
        (columns, rows) in (0..700u32, 0..700u32),
        density in prop::sample::select(vec![0.0, 0.001, 0.03, 0.5, 1.0]),
        seed in any::<u64>(),
    ) {
        let mut random = fastrand::Rng::with_seed(seed);
        let cells = (0..columns * rows).map(|_| random.f64() < density);
        let tiles = Tiles::from_cells(columns, cells, Vec2::new(0.1, 3.0));
        assert_round_trip(&tiles);
        let text = ron::to_string(&tiles).unwrap();
        let solid = tiles.solid_cells().count();
        prop_assert!(text.len() < 70_000 + 40 * solid, "{} for {solid}", text.len());
    }

    /// Any polygon that can be created can be deserialized from its serialized form.
    #[test]
    fn polygons_of_any_numbers_come_back(
        points in prop::collection::vec((any::<f32>(), any::<f32>()), 3..7),
    ) {
        if let Ok(polygon) = PolygonCollider::new(points.into_iter().map(Vec2::from)) {
            assert_round_trip(&polygon);
        }
    }

    #[test]
    fn polygons_of_several_outlines_come_back(
        outlines in prop::collection::vec(prop::collection::vec((0..9u8, 0..9u8), 3..6), 1..7),
        scale in prop::sample::select(vec![1.0, 0.1, 1e30, 1e-40]),
    ) {
        let point = |(x, y)| Vec2::new(f32::from(x), f32::from(y)) * scale;
        let mut kept: Vec<Vec<Vec2>> = Vec::new();
        for outline in outlines {
            kept.push(outline.into_iter().map(point).collect());
            match PolygonCollider::from_outlines(kept.clone()) {
                Ok(polygon) => assert_round_trip(&polygon),
                Err(_) => drop(kept.pop()),
            }
        }
    }
}
