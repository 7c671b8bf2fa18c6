//! Test apps, and helpers that read their events and pairs.

#[allow(
    clippy::duplicate_mod,
    dead_code,
    reason = "the game has and needs more of it"
)]
#[path = "../../../examples/firewheel/game/exact.rs"]
pub mod exact;
mod kind;
#[path = "../../shared/long.rs"]
mod long;
pub mod reference;
#[path = "../../shared/rules.rs"]
pub mod rules;
pub mod scene;
pub mod threads;
mod warnings;

pub use self::{
    kind::Kind,
    long::{cases, is_long},
    warnings::{collect_warnings, warnings_about},
};

use std::{collections::BTreeSet, time::Duration};

use bevy::{
    ecs::{schedule::SingleThreadedExecutor, system::RunSystemOnce},
    math::Affine2,
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_thud::{
    geometry::{Shape, TOUCHING_SLOP},
    prelude::*,
};

/// The time between two updates.
pub const STEP: Duration = Duration::from_nanos(15_625_000);

/// The same in seconds. It is a power of two, so that it adds no rounding.
pub const STEP_SECS: f32 = 1.0 / 64.0;

/// The skin width of a mover by default.
pub const SKIN: f32 = 0.02;

/// The velocity of what moves by this much in an update.
pub fn per_step(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y) / STEP_SECS
}

/// An app after its first update, so that time advances in all further updates. Its systems run one
/// after the other, which is several times faster than Bevy's default in worlds this small.
pub fn test_app() -> App {
    let mut app = unstarted_app(CollisionPlugin::default());
    start(&mut app);
    for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    app
}

/// An app whose first update is still to come.
pub fn unstarted_app(plugin: CollisionPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, plugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    record_events(&mut app);
    app
}

/// Updates `app` for the first time.
pub fn start(app: &mut App) {
    app.finish();
    app.cleanup();
    app.update();
}

/// A disabling component of the app.
#[derive(Component, Clone, Copy, Default)]
pub struct Shelved;

/// An app in which a component of its own hides entities, like [`Shelved`].
pub fn app_hiding<C: Component>() -> App {
    let mut app = unstarted_app(CollisionPlugin::default());
    app.world_mut().register_disabling_component::<C>();
    start(&mut app);
    app
}

#[derive(Resource, Default)]
struct Recorded(Vec<CollisionEvent>);

/// Lets [`step`] work in an app.
pub fn record_events(app: &mut App) {
    app.init_resource::<Recorded>();
    app.add_systems(
        Last,
        |mut events: MessageReader<CollisionEvent>, mut recorded: ResMut<Recorded>| {
            recorded.0.extend(events.read().copied());
        },
    );
}

/// Updates once. Returns the unread events.
pub fn step(app: &mut App) -> Vec<CollisionEvent> {
    app.update();
    std::mem::take(&mut app.world_mut().resource_mut::<Recorded>().0)
}

/// Updates several times. Returns the events of all updates.
pub fn steps(app: &mut App, count: usize) -> Vec<CollisionEvent> {
    (0..count).flat_map(|_| step(app)).collect()
}

/// A [`CollisionEvent`] without its contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Brief {
    Started(Entity, Entity),
    Ended(Entity, Entity, CollisionEndReason),
}

/// A start, whichever entity is the lesser one.
pub fn started(p: Entity, q: Entity) -> Brief {
    Brief::Started(p.min(q), p.max(q))
}

/// An end, whichever entity is the lesser one.
pub fn ended(p: Entity, q: Entity, reason: CollisionEndReason) -> Brief {
    Brief::Ended(p.min(q), p.max(q), reason)
}

pub fn brief(events: &[CollisionEvent]) -> Vec<Brief> {
    let brief = |event: &CollisionEvent| match *event {
        CollisionEvent::Started { a, b, .. } => Brief::Started(a, b),
        CollisionEvent::Ended { a, b, reason } => Brief::Ended(a, b, reason),
    };
    events.iter().map(brief).collect()
}

/// Updates once. Returns the events of that update without their contacts.
pub fn brief_step(app: &mut App) -> Vec<Brief> {
    brief(&step(app))
}

pub fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

/// A circle of radius 1 at a position.
pub fn ball(x: f32, y: f32) -> impl Bundle {
    (CircleCollider::new(1.0), at(x, y))
}

/// Two overlapping balls with additional components, before an update.
pub fn two_balls(p: impl Bundle, q: impl Bundle) -> (App, [Entity; 2]) {
    let mut app = test_app();
    let p = spawn(&mut app, (ball(0.0, 0.0), p));
    let q = spawn(&mut app, (ball(1.5, 0.0), q));
    (app, [p, q])
}

/// Three balls in a row, of which the middle one overlaps both others; the first in `Entity` order
/// comes first.
pub fn row_of_three(app: &mut App) -> [Entity; 3] {
    let mut entities = [(); 3].map(|()| spawn(app, ball(100.0, 100.0)));
    entities.sort();
    for (entity, x) in entities.into_iter().zip([0.0, 1.5, 3.0]) {
        set_position(app, entity, Vec2::new(x, 0.0));
    }
    entities
}

/// Adds a circle of radius 1 or a rectangle of this size to an entity.
pub fn insert_collider(app: &mut App, entity: Entity, is_circle: bool, size: Vec2) {
    let mut entity = app.world_mut().entity_mut(entity);
    if is_circle {
        entity.insert(CircleCollider::new(1.0));
    } else {
        entity.insert(RectCollider::new(size.x, size.y));
    }
}

pub fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

/// A transform with a rotation about z, in radians.
pub fn rotated(position: Vec2, angle: f32) -> Transform {
    Transform::from_translation(position.extend(0.0)).with_rotation(exact::rotation(angle))
}

pub fn set_position(app: &mut App, entity: Entity, position: Vec2) {
    let mut transform = app.world_mut().get_mut::<Transform>(entity).unwrap();
    transform.translation = position.extend(0.0);
}

/// The position of an entity, relative to its parent if it has one.
pub fn local_position(app: &App, entity: Entity) -> Vec2 {
    let transform = app.world().get::<Transform>(entity).unwrap();
    transform.translation.truncate()
}

/// The `GlobalTransform` of an entity after propagation.
pub fn global_position(app: &App, entity: Entity) -> Vec2 {
    let global = app.world().get::<GlobalTransform>(entity).unwrap();
    global.translation().truncate()
}

/// The shape of an entity without a parent, in the world.
pub fn shape_of(app: &App, mover: Entity) -> Shape {
    let entity = app.world().entity(mover);
    let shape = (entity.get::<CircleCollider>().map(Collider::shape))
        .or_else(|| entity.get::<RectCollider>().map(Collider::shape))
        .or_else(|| entity.get::<CapsuleCollider>().map(Collider::shape))
        .or_else(|| entity.get::<PolygonCollider>().map(Collider::shape))
        .or_else(|| entity.get::<TileCollider>().map(Collider::shape));
    let pose = entity.get::<Transform>().unwrap().compute_affine();
    let cols = [pose.x_axis, pose.y_axis, pose.translation].map(|column| column.truncate());
    (shape.unwrap()).transformed(&Affine2::from_cols(cols[0], cols[1], cols[2]))
}

/// Spawns a collider of this shape.
pub fn spawn_shape(app: &mut App, shape: &Shape, bundle: impl Bundle) -> Entity {
    match *shape {
        Shape::Rect {
            center,
            half_size,
            rotation,
        } => {
            let collider = RectCollider::new(2.0 * half_size.x, 2.0 * half_size.y);
            spawn(
                app,
                (collider, rotated(center, rotation.as_radians()), bundle),
            )
        }
        ref circle => {
            let Shape::Circle { center, radius } = *circle else {
                unreachable!()
            };
            spawn(
                app,
                (CircleCollider::new(radius), rotated(center, 0.0), bundle),
            )
        }
    }
}

/// The skin width of a mover, with four units in the last place of this coordinate.
pub fn tolerance(largest_coordinate: f32) -> f32 {
    SKIN + TOUCHING_SLOP * largest_coordinate
}

pub fn velocity_of(app: &App, mover: Entity) -> Vec2 {
    app.world().get::<Mover>(mover).unwrap().velocity
}

pub fn set_velocity(app: &mut App, mover: Entity, velocity: Vec2) {
    app.world_mut().get_mut::<Mover>(mover).unwrap().velocity = velocity;
}

/// Whether a mover was crushed in the last update.
pub fn is_crushed(app: &App, mover: Entity) -> bool {
    app.world().get::<MoverHits>(mover).unwrap().is_crushed()
}

/// Runs a system once and returns its output, to read what only systems can.
pub fn run_system<Out: 'static, Marker>(
    app: &mut App,
    system: impl IntoSystem<(), Out, Marker> + 'static,
) -> Out {
    app.world_mut().run_system_once(system).unwrap()
}

/// All pairs that overlap now, sorted.
pub fn pairs(app: &mut App) -> Vec<(Entity, Entity)> {
    run_system(app, |collisions: Collisions| {
        let pairs = collisions.iter().map(|pair| (pair.a, pair.b));
        pairs.collect::<Vec<_>>()
    })
}

/// How two entities overlap, as seen from the first.
pub fn contact_of(app: &mut App, from: Entity, other: Entity) -> Option<Contact> {
    run_system(app, move |collisions: Collisions| {
        collisions.get(from, other)
    })
}

/// The pairs that are started and not ended according to the events, which have to alternate
/// strictly.
#[derive(Default)]
pub struct Replay {
    open: BTreeSet<(Entity, Entity)>,
}

impl Replay {
    pub fn record(&mut self, events: &[CollisionEvent]) {
        for event in brief(events) {
            match event {
                Brief::Started(a, b) => {
                    assert!(a < b, "{event:?}: the lesser entity comes first");
                    assert!(self.open.insert((a, b)), "{event:?}: it had started before");
                }
                Brief::Ended(a, b, _) => {
                    assert!(self.open.remove(&(a, b)), "{event:?}: it had not started");
                }
            }
        }
    }

    pub fn pairs(&self) -> Vec<(Entity, Entity)> {
        self.open.iter().copied().collect()
    }
}
