//! What `fits` promises: what fits is not moved, pushes nobody and bumps into nothing in the next
//! update.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

/// What may stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Wall,
    Door,
    Plank,
    Ghost,
    Foe,
    Crate,
    /// A solid mover with a part.
    Tank,
}

const KINDS: [Kind; 7] = [
    Kind::Wall,
    Kind::Door,
    Kind::Plank,
    Kind::Ghost,
    Kind::Foe,
    Kind::Crate,
    Kind::Tank,
];

/// A multiple of 1, of 0.5 or of 0.1, or any number; from 0 to `limit`.
fn length(rng: &mut Rng, limit: f32) -> f32 {
    let number = rng.f32() * limit;
    match rng.usize(..4) {
        0 => number.round(),
        1 => (number * 2.0).round() / 2.0,
        2 => (number * 10.0).round() / 10.0,
        _ => number,
    }
}

fn position(rng: &mut Rng) -> Vec2 {
    Vec2::new(length(rng, 24.0), length(rng, 24.0)) - 12.0
}

fn spawn_kind(app: &mut App, rng: &mut Rng, kind: Kind, position: Vec2) -> Entity {
    let size = Vec2::new(length(rng, 5.0), length(rng, 5.0)) + 1.0;
    let angle = [0.0, 0.0, 0.8, rng.f32()][rng.usize(..4)];
    let entity = spawn(app, rotated(position, angle));
    let skin_width = [0.02, 0.02, 0.5][rng.usize(..3)];
    let weight = [1.0, 0.0, 3.0][rng.usize(..3)];
    let mover = Mover {
        skin_width,
        weight,
        ..default()
    };
    let mut entity = app.world_mut().entity_mut(entity);
    if rng.bool() {
        entity.insert(CircleCollider::new(size.x / 2.0));
    } else {
        entity.insert(RectCollider::new(size.x, size.y));
    }
    if rng.u8(..5) == 0 {
        let one = LayerMask::layer(rng.u32(..2));
        entity.insert(CollisionLayers::new(one, LayerMask::ALL));
    }
    match kind {
        Kind::Wall => entity.insert(Solid),
        Kind::Door => entity.insert((Solid, Swept)),
        Kind::Plank => entity.insert((Solid, OneWay(Dir2::Y))),
        Kind::Ghost => entity.insert(mover),
        Kind::Foe => entity.insert((Solid, mover)),
        Kind::Crate => entity.insert((Pushable, mover)),
        Kind::Tank => {
            let gun = (RectCollider::new(3.0, 0.5), MoverPart, at(2.0, 0.0));
            let tank = entity.insert((Solid, mover));
            if rng.bool() {
                tank.with_child((gun, Solid));
            } else {
                tank.with_child(gun);
            }
            tank
        }
    };
    entity.id()
}

/// Another world, in which nothing is far from the origin except the subject.
fn world(seed: u64) -> (App, Entity, Kind, Vec<Entity>) {
    let mut rng = Rng::with_seed(seed);
    let mut app = test_app();
    let mut others = Vec::new();
    for _ in 0..rng.usize(1..6) {
        let kind = KINDS[rng.usize(..KINDS.len())];
        let position = position(&mut rng);
        others.push(spawn_kind(&mut app, &mut rng, kind, position));
    }
    let kind = KINDS[rng.usize(..KINDS.len())];
    let subject = spawn_kind(&mut app, &mut rng, kind, FAR);
    steps(&mut app, 8);
    (app, subject, kind, others)
}

const FAR: Vec2 = Vec2::new(1000.0, 0.0);

/// Where entities are, and what blocked them in the last update.
fn state(app: &App, entities: &[Entity]) -> Vec<(Vec2, usize, bool)> {
    let entities = entities.iter().map(|&entity| {
        let hits = app.world().get::<MoverHits>(entity);
        let count = hits.map_or(0, |hits| hits.len());
        (
            local_position(app, entity),
            count,
            hits.is_some_and(MoverHits::is_crushed),
        )
    });
    entities.collect()
}

#[test]
fn what_fits_is_not_moved_pushes_nobody_and_bumps_into_nothing() {
    let (mut fitting, mut disturbing, mut still) = (0, 0, 0);
    for seed in 0..cases(600, 20_000) {
        let (mut app, subject, kind, others) = world(seed);
        let mut rng = Rng::with_seed(seed);
        let there = position(&mut rng);
        let found = run_system(&mut app, move |query: SpatialQuery| {
            let subject = query.of(subject).expect("an active collider");
            let there = subject.moved_by(there - FAR);
            assert_eq!(there.fits(), there.in_the_way().is_empty());
            there.in_the_way()
        });
        let (mut without, ..) = world(seed);
        without.update();
        let undisturbed = state(&without, &others);
        set_position(&mut app, subject, there);
        if matches!(kind, Kind::Door | Kind::Plank) {
            let mut state = app.world_mut().resource_mut::<CollisionState>();
            state.teleport(subject);
        }
        app.update();
        let disturbs =
            state(&app, &others) != undisturbed || state(&app, &[subject]) != [(there, 0, false)];
        let case = format!("{seed}: a {kind:?} at {there}, {found:?}");
        assert!(!(found.is_empty() && disturbs), "{case}");
        let is_wall = matches!(kind, Kind::Wall | Kind::Door | Kind::Plank);
        // Walls in walls disturb nobody, and yet there is no room.
        if !is_wall && !found.is_empty() {
            disturbing += u32::from(disturbs);
            still += u32::from(!disturbs);
            if !disturbs {
                eprintln!("STILL {case}");
            }
        }
        fitting += u32::from(found.is_empty());
    }
    assert!(fitting > 300 && disturbing > 50, "{fitting} {disturbing}");
    assert!(still * 20 < disturbing, "{still} of {disturbing}");
}

fn fits_at(app: &mut App, entity: Entity, offset: Vec2) -> bool {
    run_system(app, move |query: SpatialQuery| {
        let collider = query.of(entity).expect("an active collider");
        collider.moved_by(offset).fits()
    })
}

#[test]
fn nothing_fits_into_a_solid_mover() {
    let mut app = test_app();
    let mover = || (CircleCollider::new(16.0), Mover::default(), Solid);
    spawn(&mut app, mover());
    let hero = spawn(&mut app, (mover(), at(0.0, 100.0)));
    app.update();
    for (distance, expected) in [(0.0, false), (16.0, false), (31.0, false), (32.03, true)] {
        let offset = Vec2::new(distance, -100.0);
        assert_eq!(fits_at(&mut app, hero, offset), expected, "{distance}");
    }
}

#[test]
fn a_mover_of_the_size_of_a_cell_fits_where_it_stands() {
    let mut app = test_app();
    let room = TileCollider::from_rows(["###", "#.#", "###"], Vec2::splat(16.0));
    spawn(&mut app, (room, Solid));
    let crate_mover = (RectCollider::new(16.0, 16.0), Mover::default());
    let boulder = spawn(&mut app, crate_mover);
    app.update();
    assert!(fits_at(&mut app, boulder, Vec2::ZERO));
    assert!(!fits_at(&mut app, boulder, Vec2::X));
    app.update();
    assert_eq!(local_position(&app, boulder), Vec2::ZERO);
}

#[test]
fn a_crate_does_not_fit_into_walls_and_crates() {
    let mut app = test_app();
    spawn(&mut app, (RectCollider::new(4.0, 4.0), Solid));
    let ghost = (RectCollider::new(4.0, 4.0), Solid, at(50.0, 0.0));
    let elsewhere = CollisionLayers::new(LayerMask(2), LayerMask(2));
    spawn(&mut app, (ghost, elsewhere));
    let own = CollisionLayers::new(LayerMask(1), LayerMask::ALL);
    let boxed = (RectCollider::new(4.0, 4.0), Solid, at(0.0, 20.0), own);
    let boxed = spawn(&mut app, boxed);
    app.update();
    for (x, expected) in [(0.0, false), (3.9, false), (4.0, true), (50.0, true)] {
        let offset = Vec2::new(x, -20.0);
        assert_eq!(fits_at(&mut app, boxed, offset), expected, "{x}");
    }
}

#[test]
fn a_mover_keeps_its_own_skin_also_from_one_with_another() {
    for skin_width in [0.02, 0.5] {
        let mut app = test_app();
        let foe = Mover {
            skin_width: 0.52 - skin_width,
            ..default()
        };
        spawn(&mut app, (ball(20.0, 0.0), foe, Solid));
        let hero = Mover {
            skin_width,
            ..default()
        };
        let hero = spawn(&mut app, (ball(0.0, 0.0), hero, Solid));
        app.update();
        let predicted = run_system(&mut app, move |query: SpatialQuery| {
            let hero = query.of(hero).expect("an active collider");
            hero.sweep(Vec2::X * 50.0).displacement
        });
        let mut mover = app.world_mut().get_mut::<Mover>(hero).unwrap();
        mover.displacement = Vec2::X * 50.0;
        app.update();
        let position = local_position(&app, hero);
        assert!(
            position.distance(predicted) < 1e-4,
            "{position} {predicted}"
        );
        // Both balls have a radius of 1.
        assert!((18.0 - position.x - skin_width).abs() < 1e-3, "{position}");
    }
}
