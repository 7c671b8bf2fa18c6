//! Presses: walls that come down on a mover that stands on another wall.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::common::*;

/// Where a mover of a kind ends that a press of this width pushes onto a floor of this thickness,
/// whose bottom ends at `end` above the floor; and whether it is crushed.
fn pressed(
    kind: Kind,
    thickness: f32,
    end: f32,
    setup: impl Fn(&mut App, [Entity; 3]),
) -> (Vec2, bool) {
    let mut app = test_app();
    let floor = RectCollider::new(400.0, thickness);
    let floor = spawn(&mut app, (floor, Solid, at(0.0, -thickness / 2.0)));
    let mover = spawn(
        &mut app,
        (Mover::with_velocity(Vec2::NEG_Y * 30.0), at(0.0, 7.0)),
    );
    kind.insert(&mut app, mover, Vec2::new(12.0, 10.0));
    let press = spawn(
        &mut app,
        (RectCollider::new(300.0, 100.0), Solid, at(0.0, 80.0)),
    );
    setup(&mut app, [floor, mover, press]);
    for _ in 0..20 {
        app.update();
    }
    for step in 1..=40 {
        let bottom = end + (30.0 - end) * (1.0 - step as f32 / 40.0);
        set_position(&mut app, press, Vec2::new(0.0, bottom + 50.0));
        app.update();
    }
    for _ in 0..20 {
        set_velocity(&mut app, mover, Vec2::NEG_Y * 30.0);
        app.update();
    }
    let transform: &Transform = app.world().get(mover).unwrap();
    let hits: &MoverHits = app.world().get(mover).unwrap();
    (transform.translation.truncate(), hits.is_crushed())
}

#[test]
fn a_press_does_not_push_a_mover_through_the_floor() {
    for kind in [Kind::Circle, Kind::Rect, Kind::Capsule, Kind::Polygon] {
        for &thickness in cases(&[2.0, 24.0][..], &[2.0, 6.0, 12.0, 24.0]) {
            for end in [1.0, 0.02, 0.0, -0.01, -1.0, -4.0] {
                for is_swept in [false, true] {
                    for is_one_way in [false, true] {
                        let (position, is_crushed) =
                            pressed(kind, thickness, end, |app, [floor, _, press]| {
                                if is_swept {
                                    app.world_mut().entity_mut(press).insert(Swept);
                                }
                                if is_one_way {
                                    app.world_mut().entity_mut(floor).insert(OneWay(Dir2::Y));
                                }
                            });
                        let case = format!(
                            "{kind:?}, {thickness} thick, end {end}, swept {is_swept}, \
                             one-way {is_one_way}"
                        );
                        assert!(position.y > 5.0, "{case}: {position}");
                        assert!(is_crushed, "{case}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_press_crushes_a_mover_on_a_floor_and_does_not_press_it_through() {
    for (floor_thickness, is_swept) in [(0.5, false), (0.5, true), (4.0, false), (4.0, true)] {
        for radius in [2.0, 6.0, 9.0] {
            let mut app = test_app();
            let floor = RectCollider::new(400.0, floor_thickness);
            spawn(&mut app, (floor, Solid, at(0.0, -floor_thickness / 2.0)));
            let mover = (
                CircleCollider::new(radius),
                Mover::with_velocity(Vec2::NEG_Y),
            );
            let mover = spawn(&mut app, (mover, at(0.0, radius + SKIN)));
            let press = (RectCollider::new(500.0, 200.0), Solid, at(0.0, 130.0));
            let press = spawn(&mut app, press);
            if is_swept {
                app.world_mut().entity_mut(press).insert(Swept);
            }
            app.update();
            for step in 1..30u8 {
                let bottom = 30.0 - f32::from(step);
                set_position(&mut app, press, Vec2::Y * (bottom + 100.0));
                app.update();
                let y = global_position(&app, mover).y;
                assert!(
                    y > 0.0,
                    "{radius} through {floor_thickness}: {y} below {bottom}"
                );
                let has_room = bottom > 2.0 * radius + 2.0 * SKIN;
                assert_eq!(
                    is_crushed(&app, mover),
                    !has_room,
                    "{radius} below {bottom}"
                );
            }
            set_position(&mut app, press, Vec2::Y * 150.0);
            app.update();
            assert!(!is_crushed(&app, mover));
        }
    }
}
