//! How does a brick break under the ball, however fast it is?

use bevy::prelude::*;
use bevy_thud::prelude::*;

const RADIUS: f32 = 4.0;

/// Has no `Mover`: that would end its motion before the game removes what it hits.
#[derive(Component)]
struct Ball {
    velocity: Vec2,
}

#[derive(Component)]
#[require(Solid)]
struct Brick;

/// What is broken blocks the ball no more, in the same update.
fn fly(
    time: Res<Time>,
    mut balls: Query<(&mut Ball, &mut Transform)>,
    bricks: Query<(), With<Brick>>,
    query: SpatialQuery,
    mut commands: Commands,
) {
    let mut broken = vec![];
    for (mut ball, mut transform) in &mut balls {
        let mut seconds = time.delta_secs();
        // Between two walls that touch it on both sides, a ball would bounce without end.
        for _ in 0..100 {
            let shape = Shape::circle(transform.translation.truncate(), RADIUS);
            let displacement = ball.velocity * seconds;
            let filter = SpatialQueryFilter::default().only_solid();
            let filter = filter.with_predicate(|entity| !broken.contains(&entity));
            let Some((other, hit)) = query.cast_shape(&shape, displacement, &filter) else {
                transform.translation += displacement.extend(0.0);
                break;
            };
            transform.translation += (displacement * hit.fraction).extend(0.0);
            seconds *= 1.0 - hit.fraction;
            ball.velocity = ball.velocity.reflect(hit.normal);
            if bricks.contains(other) {
                broken.push(other);
                commands.entity(other).despawn();
            }
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[derive(Resource, Default)]
struct Broken(Vec<Entity>);

/// Two rows of bricks with a gap for the ball, in a box.
fn field(velocity: Vec2) -> (App, Entity, usize) {
    let mut app = app(|app| {
        app.init_resource::<Broken>().add_systems(Update, fly);
        app.add_observer(|remove: On<Remove, Brick>, mut broken: ResMut<Broken>| {
            broken.0.push(remove.entity);
        });
    });
    let mut spawn = |x: f32, y: f32, width: f32, height: f32| {
        let wall = (RectCollider::new(width, height), at(x, y));
        app.world_mut().spawn(wall).id()
    };
    let bricks: Vec<_> = (-4..=4)
        .flat_map(|column| [-40.0, 40.0].map(|y| (column as f32 * 20.0, y)))
        .map(|(x, y)| spawn(x, y, 20.0, 10.0))
        .collect();
    let walls = [
        spawn(0.0, 90.0, 220.0, 20.0),
        spawn(0.0, -90.0, 220.0, 20.0),
        spawn(100.0, 0.0, 20.0, 200.0),
        spawn(-100.0, 0.0, 20.0, 200.0),
    ];
    for wall in walls {
        app.world_mut().entity_mut(wall).insert(Solid);
    }
    for &brick in &bricks {
        app.world_mut().entity_mut(brick).insert(Brick);
    }
    app.update();
    let ball = app.world_mut().spawn((Ball { velocity }, at(3.0, 0.0)));
    let ball = ball.id();
    (app, ball, bricks.len())
}

#[test]
fn a_ball_of_any_speed_breaks_bricks_keeps_its_speed_and_stays_in_the_box() {
    for speed in [100.0, 700.0, 2000.0, 20_000.0] {
        let (mut app, ball, count) = field(Vec2::from_angle(1.3) * speed);
        for _ in 0..64 * 20 {
            app.update();
            let position = position(&app, ball).abs();
            assert!(position.x < 86.1 && position.y < 76.1, "{position}");
        }
        let broken = &app.world().resource::<Broken>().0;
        assert!(broken.len() > count / 2, "{} of {count}", broken.len());
        let velocity = app.world().get::<Ball>(ball).unwrap().velocity;
        assert!((velocity.length() / speed - 1.0).abs() < 1e-3, "{velocity}");
    }
}

#[test]
fn the_ball_goes_on_through_a_brick_that_it_broke_in_the_same_update() {
    // Up to a brick and back through the gap, then up again: in one update of 200 units.
    let (mut app, ball, _) = field(Vec2::Y * 200.0 / STEP_SECS);
    app.update();
    // 31 up to the brick, 62 down to the one below it, 107 up to the wall, in its place.
    let moved = position(&app, ball);
    let expected = Vec2::new(3.0, -31.0 + 107.0);
    assert!(moved.distance(expected) < 0.01, "{moved}");
    assert_eq!(app.world().resource::<Broken>().0.len(), 2);
}
