//! How does an explosion hurt who is near and not in cover?

use bevy::prelude::*;
use bevy_thud::prelude::*;

#[derive(Component)]
struct Health(i32);

/// Triggered by the game: `commands.trigger(Explosion { center, radius: 100.0 })`.
#[derive(Event)]
struct Explosion {
    center: Vec2,
    radius: f32,
}

/// Everything solid is cover, except the victim itself.
fn explode(
    blast: On<Explosion>,
    query: SpatialQuery,
    mut victims: Query<(&Transform, &mut Health)>,
) {
    let shape = Shape::circle(blast.center, blast.radius);
    for entity in query.shape_intersections(&shape, &SpatialQueryFilter::default()) {
        if let Ok((transform, mut health)) = victims.get_mut(entity) {
            let to_victim = transform.translation.truncate() - blast.center;
            let cover = SpatialQueryFilter::default().only_solid().exclude(entity);
            let ray = Ray2d::new(blast.center, Dir2::new(to_victim).unwrap_or(Dir2::X));
            let in_cover = (query.cast_ray(ray, to_victim.length(), &cover)).is_some();
            health.0 -= if in_cover { 0 } else { 50 };
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn it_hurts_the_near_ones_that_no_wall_covers() {
    let mut app = app(|app| {
        app.add_observer(explode);
    });
    let wall = (RectCollider::new(40.0, 10.0), Solid, at(0.0, 30.0));
    app.world_mut().spawn(wall);
    let puddle = (CircleCollider::new(10.0), at(0.0, -30.0));
    app.world_mut().spawn(puddle);
    // The second is too far away, the third behind the wall, the fourth behind the puddle.
    let places = [(50.0, 0.0), (200.0, 0.0), (0.0, 60.0), (0.0, -60.0)];
    let victims = places.map(|(x, y)| {
        let victim = (Health(100), CircleCollider::new(8.0), Solid, at(x, y));
        app.world_mut().spawn(victim).id()
    });
    app.update();
    let (center, radius) = (Vec2::ZERO, 100.0);
    app.world_mut().trigger(Explosion { center, radius });
    let health = victims.map(|victim| app.world().get::<Health>(victim).unwrap().0);
    assert_eq!(health, [50, 100, 100, 50]);
}
