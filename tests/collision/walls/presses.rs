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
        for thickness in [2.0, 6.0, 12.0, 24.0] {
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
