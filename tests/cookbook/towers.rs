//! How does a tower choose the first, the strongest or the nearest creep in its range?

use bevy::prelude::*;
use bevy_thud::{geometry::Shape, prelude::*};

#[derive(Clone, Copy)]
enum Choice {
    First,
    Strongest,
    Nearest,
}

#[derive(Component)]
struct Tower {
    range: f32,
    choice: Choice,
    target: Option<Entity>,
}

#[derive(Component)]
struct Creep {
    health: f32,
    /// How far it is along its path.
    walked: f32,
}

/// Before creeps move: queries see the world as of the last update, and so do transforms then.
fn aim(
    mut towers: Query<(&Transform, &mut Tower)>,
    creeps: Query<(&Transform, &Creep)>,
    query: SpatialQuery,
) {
    for (transform, mut tower) in &mut towers {
        let center = transform.translation.truncate();
        let rank = |(at, creep): (&Transform, &Creep)| match tower.choice {
            Choice::First => creep.walked,
            Choice::Strongest => creep.health,
            Choice::Nearest => -at.translation.truncate().distance(center),
        };
        let range = Shape::circle(center, tower.range);
        let near = query.shape_intersections(&range, &SpatialQueryFilter::default());
        let ranked = near.filter_map(|it| Some((it, rank(creeps.get(it).ok()?))));
        let best = ranked.max_by(|(_, a), (_, b)| a.total_cmp(b));
        tower.target = best.map(|(creep, _)| creep);
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn a_tower_chooses_what_looking_at_every_creep_chooses() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut app = app(|app| {
        app.add_systems(Update, aim);
    });
    let mut number = |size: f32| rng.f32() * size;
    let creeps: Vec<Entity> = (0..60)
        .map(|_| {
            let creep = Creep {
                health: number(100.0),
                walked: number(500.0),
            };
            let mover = Mover::with_velocity(Vec2::new(number(80.0) - 40.0, number(80.0) - 40.0));
            let place = at(number(400.0), number(400.0));
            let creep = (creep, mover, CircleCollider::new(4.0), place);
            app.world_mut().spawn(creep).id()
        })
        .collect();
    let choices = [Choice::First, Choice::Strongest, Choice::Nearest];
    let towers: Vec<Entity> = (0..12)
        .map(|index| {
            let tower = Tower {
                range: 40.0 + number(60.0),
                choice: choices[index % 3],
                target: None,
            };
            let place = at(number(400.0), number(400.0));
            app.world_mut().spawn((tower, place)).id()
        })
        .collect();
    let mut found = 0;
    app.update();
    for _ in 0..60 {
        // What the towers see in the next update.
        let world = app.world();
        let expected: Vec<Option<Entity>> = (towers.iter())
            .map(|tower| {
                let center = position(&app, *tower);
                let tower = world.get::<Tower>(*tower).unwrap();
                let rank = |creep: Entity| {
                    let data = world.get::<Creep>(creep).unwrap();
                    match tower.choice {
                        Choice::First => data.walked,
                        Choice::Strongest => data.health,
                        Choice::Nearest => -position(&app, creep).distance(center),
                    }
                };
                let mut best: Option<Entity> = None;
                for creep in &creeps {
                    let is_near = position(&app, *creep).distance(center) < tower.range + 4.0;
                    if is_near && best.is_none_or(|best| rank(*creep) > rank(best)) {
                        best = Some(*creep);
                    }
                }
                best
            })
            .collect();
        app.update();
        for (tower, expected) in towers.iter().zip(expected) {
            let target = app.world().get::<Tower>(*tower).unwrap().target;
            assert_eq!(target, expected);
            found += usize::from(target.is_some());
        }
    }
    assert!(found > 300, "{found}");
}
