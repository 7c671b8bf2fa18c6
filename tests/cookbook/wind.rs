//! How do wind and magnets pull who is in their area?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// Areas are colliders without `Solid`. What they do, in world units per second, each second.
#[derive(Component)]
#[require(CollidingEntities)]
enum Area {
    Wind(Vec2),
    /// Toward the center of the area.
    Magnet(f32),
}

fn blow(
    time: Res<Time>,
    areas: Query<(&Area, &CollidingEntities, &Transform)>,
    mut movers: Query<(&mut Mover, &Transform)>,
) {
    for (area, inside, center) in &areas {
        for &entity in inside.iter() {
            if let Ok((mut mover, transform)) = movers.get_mut(entity) {
                let to_center = (center.translation - transform.translation).truncate();
                let acceleration = match *area {
                    Area::Wind(acceleration) => acceleration,
                    Area::Magnet(strength) => strength * to_center.normalize_or_zero(),
                };
                mover.velocity += acceleration * time.delta_secs();
            }
        }
    }
}

// ---- What tests it ----

use crate::app::*;

fn app_with_area(area: Area, x: f32) -> App {
    let mut app = app(|app| {
        app.add_systems(Update, blow);
    });
    let area = (area, RectCollider::new(100.0, 100.0), at(x, 0.0));
    app.world_mut().spawn(area);
    app
}

fn leaf(app: &mut App, x: f32, y: f32) -> Entity {
    let leaf = (CircleCollider::new(4.0), Mover::default(), at(x, y));
    app.world_mut().spawn(leaf).id()
}

fn velocity(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<Mover>(entity).unwrap().velocity
}

#[test]
fn wind_drives_a_leaf_while_it_is_in_it() {
    let mut app = app_with_area(Area::Wind(Vec2::X * 200.0), 0.0);
    let [inside, outside] = [0.0, 90.0].map(|y| leaf(&mut app, 0.0, y));
    run(&mut app, 0.5);
    let half_second = velocity(&app, inside).x;
    assert!((half_second - 100.0).abs() < 5.0, "{half_second}");
    run(&mut app, 2.0);
    // It has left after 54 units: v² = 2 · 200 · 54.
    let last = velocity(&app, inside);
    assert!((last.x - 147.0).abs() < 5.0 && last.y == 0.0, "{last}");
    assert_eq!(position(&app, outside), Vec2::Y * 90.0);
}

#[test]
fn a_magnet_draws_from_all_sides() {
    let mut app = app_with_area(Area::Magnet(100.0), 20.0);
    let leaves = [(0.0, 0.0), (40.0, 30.0), (20.0, -40.0)].map(|(x, y)| leaf(&mut app, x, y));
    let center = Vec2::X * 20.0;
    let before = leaves.map(|leaf| position(&app, leaf).distance(center));
    run(&mut app, 0.4);
    for (leaf, before) in leaves.into_iter().zip(before) {
        let after = position(&app, leaf).distance(center);
        assert!(before - after > 6.0, "{before}, then {after}");
    }
}
