//! The numbers of a map become a grid for each role: walls, planks, sensors.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

const CELL: f32 = 16.0;

#[test]
fn a_mover_is_blocked_by_walls_passes_planks_from_below_and_is_reported_by_sensors() {
    let grid = |number, shape| {
        let numbers = [
            1, 1, 1, 1, //
            0, 0, 0, 0, //
            6, 6, 6, 6, //
            0, 7, 7, 0, //
            1, 1, 1, 1,
        ];
        let shapes = CellShapes::new().with(number, shape);
        TileCollider::from_int_grid(4, numbers, Vec2::splat(CELL), &shapes)
    };
    let mut app = test_app();
    spawn(&mut app, (grid(1, CellShape::FULL), Solid));
    let plank = CellShape::rect(0.0..1.0, 0.75..1.0);
    spawn(&mut app, (grid(6, plank), Solid, OneWay(Dir2::Y)));
    let sensor = spawn(&mut app, grid(7, CellShape::FULL));
    let mover = (
        CircleCollider::new(4.0),
        Mover::with_velocity(Vec2::Y * 200.0),
    );
    let reported = CollidingEntities::default();
    let mover = spawn(&mut app, (mover, reported, at(0.0, -20.0)));
    app.update();
    let touched: &CollidingEntities = app.world().get(mover).unwrap();
    let touched: Vec<Entity> = touched.iter().copied().collect();
    assert_eq!(touched, [sensor]);
    steps_of(&mut app, 60);
    let position = local_position(&app, mover);
    assert!(
        (position.y - (24.0 - 4.0 - SKIN)).abs() < 0.02,
        "{position}"
    );
    set_velocity(&mut app, mover, Vec2::Y * -200.0);
    steps_of(&mut app, 60);
    let position = local_position(&app, mover);
    assert!((position.y - (8.0 + 4.0 + SKIN)).abs() < 0.02, "{position}");
}

fn steps_of(app: &mut App, count: usize) {
    (0..count).for_each(|_| app.update());
}
