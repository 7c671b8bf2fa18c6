//! A game that is saved and loaded goes on as if it had not been.

#[allow(
    dead_code,
    reason = "what the window and the file need is not used here"
)]
#[path = "../../examples/save_game.rs"]
mod save_game;

use std::collections::BTreeSet;

use super::{scenes::*, *};

/// What happened in an update, by names.
fn update(app: &mut App) -> Vec<String> {
    app.update();
    let happened = |mut collisions: MessageReader<CollisionEvent>,
                    mut crushed: MessageReader<Crushed>,
                    mut landed: MessageReader<Landed>,
                    mut left: MessageReader<LeftFloor>,
                    mut hits: MessageReader<MoverHit>,
                    names: Query<&Name>| {
        let name = |entity| names.get(entity).map_or("gone", Name::as_str);
        let pair = |event: &CollisionEvent| {
            let [a, b] = event.entities().map(name);
            let is_start = matches!(event, CollisionEvent::Started { .. });
            format!("{a} {b} {is_start}")
        };
        let crushed = crushed.read().map(|event| name(event.entity).to_string());
        let landed = landed
            .read()
            .map(|event| format!("{} landed", name(event.entity)));
        let left = left
            .read()
            .map(|event| format!("{} left", name(event.entity)));
        let hits = hits
            .read()
            .map(|hit| format!("{:?} {}", hit.normal, name(hit.blocker)));
        (collisions
            .read()
            .map(pair)
            .chain(crushed)
            .chain(landed)
            .chain(left)
            .chain(hits))
        .collect::<Vec<_>>()
    };
    let happened = app.world_mut().run_system_once(happened).unwrap();
    app.world_mut()
        .resource_mut::<Messages<CollisionEvent>>()
        .clear();
    app.world_mut().resource_mut::<Messages<Crushed>>().clear();
    app.world_mut().resource_mut::<Messages<Landed>>().clear();
    app.world_mut()
        .resource_mut::<Messages<LeftFloor>>()
        .clear();
    app.world_mut().resource_mut::<Messages<MoverHit>>().clear();
    happened
}

/// A walker on a floor that moves, a mover between walls, a blade, and two coins in each other.
fn fill(world: &mut World) {
    let at = |x, y| Transform::from_xyz(x, y, 0.0);
    let mut key = 0;
    let mut spawn = |name: &'static str, bundle: (Transform, CollisionLayers)| {
        key += 1;
        let parts = (Name::new(name), StableKey(key), bundle);
        world.spawn(parts).id()
    };
    let all = CollisionLayers::default();
    let hero = spawn("hero", (at(0.0, 2.0), all));
    let floor = spawn("floor", (at(0.0, 0.0), all));
    let victim = spawn("victim", (at(100.0, 0.0), all));
    let jaws = [98.5, 101.5].map(|x| spawn("jaw", (at(x, 0.0), all)));
    let coins = [200.0, 201.0].map(|x| spawn("coin", (at(x, 0.0), all)));
    let blade = spawn("blade", (at(300.0, 0.0), all));
    let mut entity = world.entity_mut(hero);
    entity.insert((CircleCollider::new(1.0), Walker::default()));
    entity.insert(Mover::with_velocity(Vec2::new(5.0, -40.0)));
    world
        .entity_mut(floor)
        .insert((RectCollider::new(60.0, 2.0), Solid, Swept));
    let body = (RectCollider::new(2.0, 2.0), Mover::with_velocity(Vec2::X));
    world.entity_mut(victim).insert(body);
    for jaw in jaws {
        world
            .entity_mut(jaw)
            .insert((RectCollider::new(2.0, 9.0), Solid));
    }
    for coin in coins {
        world.entity_mut(coin).insert(CircleCollider::new(1.0));
    }
    world
        .entity_mut(blade)
        .insert((CircleCollider::new(1.0), Swept));
}

/// Moves the floor and the blade, which no one else moves.
fn play(app: &mut App) -> Vec<String> {
    let mut moved = app
        .world_mut()
        .query_filtered::<&mut Transform, With<Swept>>();
    for mut transform in moved.iter_mut(app.world_mut()) {
        transform.translation.x -= 1.0;
        transform.translation.y += 0.25;
    }
    update(app)
}

#[test]
fn a_saved_game_goes_on_without_a_phantom_event() {
    let mut saved = test_app();
    fill(saved.world_mut());
    let beginning: Vec<_> = (0..10).flat_map(|_| play(&mut saved)).collect();
    for expected in ["coin coin true", "victim", "hero landed"] {
        assert!(
            beginning.iter().any(|event| event == expected),
            "{expected}: {beginning:?}"
        );
    }
    let text = save(&mut saved);
    let mut loaded = test_app();
    loaded.world_mut().spawn_batch([(), (), ()]);
    load(&mut loaded, &text);
    let hash = |app: &App| app.world().resource::<CollisionState>().hash();
    assert_eq!(hash(&loaded), hash(&saved));
    let json = serde_json::to_string(saved.world().resource::<CollisionState>()).unwrap();
    let from_json: CollisionState = serde_json::from_str(&json).unwrap();
    assert_eq!(from_json.hash(), hash(&saved));
    for number in 0..30 {
        assert_eq!(play(&mut loaded), play(&mut saved), "update {number}");
        assert_eq!(hash(&loaded), hash(&saved), "update {number}");
    }
}

#[derive(Component, Reflect, Clone, Copy)]
#[reflect(Component)]
enum Layer {
    Hero,
    Wall,
    Ghost,
}

impl CollisionLayer for Layer {}

/// A crate that is not `Solid` any more, and a ghost with layers of its own.
#[test]
fn roles_and_layers_are_loaded_as_they_were() {
    let app = || {
        let mut app = test_app();
        app.register_type::<Layer>()
            .add_layer_table(LayerTable::new().collide(Layer::Hero, [Layer::Wall]));
        app
    };
    let mut saved = app();
    let ball = CircleCollider::new(1.0);
    let mover = |x: f32, speed: f32| {
        let at = Transform::from_xyz(x, 0.0, 0.0);
        (ball, Mover::with_velocity(Vec2::X * speed), at)
    };
    let world = saved.world_mut();
    let hero = (Name::new("hero"), StableKey(1), mover(-10.0, -20.0));
    world.spawn((hero, Layer::Hero));
    let boxed = (Name::new("crate"), StableKey(2), mover(-13.0, 0.0));
    let boxed = world.spawn((boxed, Pushable, Layer::Wall)).id();
    world.entity_mut(boxed).remove::<Solid>();
    let own = CollisionLayers::new(Layer::Wall, LayerMask::ALL);
    let ghost = (Name::new("ghost"), StableKey(3), mover(-12.0, 0.0));
    world.spawn((ghost, Layer::Ghost, own));
    update(&mut saved);
    let mut loaded = app();
    let text = save(&mut saved);
    load(&mut loaded, &text);
    let mut happened = Vec::new();
    for number in 0..60 {
        let expected = update(&mut saved);
        assert_eq!(update(&mut loaded), expected, "update {number}");
        happened.extend(expected);
    }
    for name in ["crate", "ghost"] {
        assert!(
            happened.iter().any(|it| it.contains(name)),
            "{name}: {happened:?}"
        );
    }
}

#[test]
fn pairs_that_are_loaded_before_the_first_update_end_without_any_collider() {
    let mut saved = test_app();
    fill(saved.world_mut());
    play(&mut saved);
    let text = ron::to_string(saved.world().resource::<CollisionState>()).unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
    app.insert_resource(ron::from_str::<CollisionState>(&text).unwrap());
    let pairs = |app: &mut App| {
        let count = |collisions: Collisions| collisions.len();
        app.world_mut().run_system_once(count).unwrap()
    };
    assert!(pairs(&mut app) > 0);
    app.update();
    assert_eq!(pairs(&mut app), 0);
}

/// As when a game loads while its fixed steps pause: the lists of the loaded entities are mapped,
/// and one of their others is gone by the next update.
#[test]
fn lists_forget_what_is_gone_after_entities_were_mapped() {
    let mut app = test_app();
    let zone = app
        .world_mut()
        .spawn((ball(0.0), CollidingEntities::default()));
    let zone = zone.id();
    let [coin, other] = [0.5, -0.5].map(|x| app.world_mut().spawn(ball(x)).id());
    app.update();
    let list = |app: &App| {
        let list = app.world().get::<CollidingEntities>(zone).unwrap();
        list.iter().copied().collect::<BTreeSet<_>>()
    };
    assert_eq!(list(&app), BTreeSet::from([coin, other]));
    // Another entity takes the place of the coin.
    let mut state = app.world().resource::<CollisionState>().clone();
    let loaded = app.world_mut().spawn(ball(0.5)).id();
    MapEntities::map_entities(&mut state, &mut (coin, loaded));
    app.world_mut().despawn(coin);
    app.insert_resource(state);
    app.update();
    assert_eq!(list(&app), BTreeSet::from([other, loaded]));
}

#[test]
fn the_example_goes_on_in_its_puddle() {
    let start = || {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, save_game::game))
            .init_resource::<ButtonInput<KeyCode>>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
                16,
            )));
        app.update();
        app
    };
    let splashes = |app: &App| app.world().resource::<save_game::Splashes>().0;
    let mut app = start();
    save_game::spawn(app.world_mut());
    let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
    keys.press(KeyCode::KeyD);
    keys.press(KeyCode::KeyS);
    (0..30).for_each(|_| app.update());
    assert_eq!(splashes(&app), 1);
    let text = save_game::save(app.world_mut()).unwrap();
    let mut app = start();
    app.world_mut().spawn_batch([(), (), ()]);
    save_game::load(app.world_mut(), &text).unwrap();
    (0..30).for_each(|_| app.update());
    assert_eq!(splashes(&app), 1);
    let pairs = app
        .world_mut()
        .run_system_once(|collisions: Collisions| collisions.len());
    assert_eq!(pairs.unwrap(), 1);
}
