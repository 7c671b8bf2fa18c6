//! How do I make a spring that throws up who lands on it?

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A floor that throws walkers up at this speed.
#[derive(Component)]
struct Spring(f32);

/// Who walks onto the spring from another floor at the same height does not land: for that, read
/// `Ground::floor` instead.
fn bounce(
    mut landed: MessageReader<Landed>,
    springs: Query<&Spring>,
    mut movers: Query<&mut Mover>,
) {
    for landed in landed.read() {
        if let Ok(spring) = springs.get(landed.floor)
            && let Ok(mut mover) = movers.get_mut(landed.entity)
        {
            mover.velocity.y = spring.0;
        }
    }
}

// ---- What tests it ----

use crate::app::*;

fn fall(time: Res<Time>, mut movers: Query<&mut Mover>) {
    for mut mover in &mut movers {
        mover.velocity.y -= 900.0 * time.delta_secs();
    }
}

#[test]
fn a_spring_throws_up_who_lands_on_it_each_time() {
    let mut app = app(|app| {
        app.add_systems(Update, (fall, bounce).chain());
    });
    let floor = (RectCollider::new(20.0, 10.0), Solid);
    app.world_mut().spawn((floor, Spring(450.0), at(0.0, -5.0)));
    app.world_mut().spawn((floor, at(100.0, -5.0)));
    let heroes = [0.0, 100.0].map(|x| {
        let hero = (CircleCollider::new(5.0), Walker::default(), at(x, 20.0));
        app.world_mut().spawn(hero).id()
    });
    for (seconds, expected) in [(0.7, 120.0), (0.5, 5.0), (0.5, 120.0)] {
        run(&mut app, seconds);
        let [sprung, other] = heroes.map(|hero| position(&app, hero).y);
        assert!((sprung - expected).abs() < 20.0, "{sprung}");
        assert!((other - 5.0).abs() < 0.1, "{other}");
    }
}
