//! Whole scenes and queries of numbers of any bits, next to a scene of ordinary ones that nothing
//! may disturb.

use std::{f32::consts::FRAC_PI_4, time::Duration};

use bevy::{
    ecs::{
        schedule::{ScheduleLabel, SingleThreadedExecutor},
        system::RunSystemOnce,
    },
    prelude::*,
};
use bevy_thud::{geometry::Shape, prelude::*};
use proptest::{collection::vec, prelude::*};

use super::{
    bits::{Sample, number, sample, vector},
    calls::Stopwatch,
};
use crate::cases;

const ORDINARY: CollisionLayers = CollisionLayers {
    memberships: LayerMask(1 << 31),
    filters: LayerMask(1 << 31),
};
const ANY: CollisionLayers = CollisionLayers {
    memberships: LayerMask(1),
    filters: LayerMask(1),
};

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Physics;

/// A collider of any shape.
#[derive(Component, Clone)]
#[require(Transform)]
struct AnyShape(Shape);

impl Collider for AnyShape {
    fn shape(&self) -> Shape {
        self.0.clone()
    }
}

#[derive(Clone, Debug)]
struct Thing {
    shape: Sample,
    transforms: [Transform; 2],
    mover: Option<Mover>,
    is_solid: bool,
    is_swept: bool,
    one_way: Option<Dir2>,
    /// The entity spawned this many entities before.
    parent: Option<usize>,
}

fn transform() -> impl Strategy<Value = Transform> {
    let rotation = prop_oneof![
        3 => (-700..700i16).prop_map(|angle| Quat::from_rotation_z(f32::from(angle) / 100.0)),
        2 => (0..8i16).prop_map(|eighths| Quat::from_rotation_z(f32::from(eighths) * FRAC_PI_4)),
        1 => (vector(), vector()).prop_map(|(p, q)| Quat::from_xyzw(p.x, p.y, q.x, q.y)),
    ];
    let scale = prop_oneof![2 => Just(Vec2::ONE), 1 => vector()];
    (vector(), number(), rotation, scale).prop_map(|(position, z, rotation, scale)| Transform {
        translation: position.extend(z),
        rotation,
        scale: scale.extend(z),
    })
}

fn mover() -> impl Strategy<Value = Mover> {
    let response = prop_oneof![
        Just(MoverResponse::Slide),
        Just(MoverResponse::Stop),
        Just(MoverResponse::Bounce),
        Just(MoverResponse::Pass),
    ];
    (vector(), vector(), response, [number(), number(), number()]).prop_map(
        |(velocity, displacement, response, [restitution, weight, skin_width])| Mover {
            velocity,
            displacement,
            response,
            restitution,
            weight,
            skin_width,
            ..default()
        },
    )
}

/// Boxed: the stack of a test thread is too small for several of them.
fn thing() -> BoxedStrategy<Thing> {
    let transform = || transform().boxed();
    (
        (sample().boxed(), [transform(), transform()]),
        proptest::option::weighted(0.4, mover().boxed()),
        (any::<bool>(), prop::bool::weighted(0.2)),
        proptest::option::weighted(0.2, vector()),
        proptest::option::weighted(0.2, 1..4usize),
    )
        .prop_map(
            |((shape, transforms), mover, (is_solid, is_swept), one_way, parent)| Thing {
                shape,
                transforms,
                mover,
                is_solid,
                is_swept,
                one_way: one_way.and_then(|direction| Dir2::new(direction).ok()),
                parent,
            },
        )
        .boxed()
}

/// A world with ordinary colliders, and their events.
struct Scene {
    app: App,
    ordinary: Vec<Entity>,
    things: Vec<Entity>,
}

impl Scene {
    fn new(margin: f32) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), CollisionPlugin::new(Physics)))
            .add_collider::<AnyShape>()
            .init_resource::<Time>()
            .insert_resource(CollisionSettings {
                margin,
                ..default()
            });
        app.finish();
        app.cleanup();
        app.edit_schedule(Physics, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        let world = app.world_mut();
        let at = Transform::from_xyz;
        let velocity = Vec2::new(500.0, 30.0);
        let ordinary = vec![
            world
                .spawn((CircleCollider::new(2.0), at(1.0, 0.0, 0.0), ORDINARY))
                .id(),
            world
                .spawn((RectCollider::new(3.0, 1.0), at(0.0, 1.0, 0.0), ORDINARY))
                .id(),
            (world.spawn((
                RectCollider::new(1.0, 90.0),
                at(20.0, 0.0, 0.0),
                Solid,
                ORDINARY,
            )))
            .id(),
            (world.spawn((
                CircleCollider::new(0.5),
                Mover::with_velocity(velocity),
                ORDINARY,
            )))
            .id(),
        ];
        Self {
            app,
            ordinary,
            things: vec![],
        }
    }

    fn spawn(&mut self, thing: &Thing) {
        let count = self.things.len();
        let parent = thing.parent.and_then(|back| count.checked_sub(back));
        let parent = parent.map(|index| self.things[index]);
        let world = self.app.world_mut();
        let mut entity = world.spawn((
            AnyShape(thing.shape.shape.clone()),
            thing.transforms[0],
            ANY,
        ));
        if let Some(mover) = &thing.mover {
            entity.insert(mover.clone());
        }
        if thing.is_solid {
            entity.insert(Solid);
        }
        if thing.is_swept {
            entity.insert(Swept);
        }
        if let Some(direction) = thing.one_way {
            entity.insert(OneWay(direction));
        }
        if let Some(parent) = parent {
            entity.insert(ChildOf(parent));
        }
        self.things.push(entity.id());
    }

    /// Updates once, and returns what happened to the ordinary colliders, bit for bit.
    fn update(&mut self, delta: Duration) -> String {
        let world = self.app.world_mut();
        world.resource_mut::<Time>().advance_by(delta);
        world.run_schedule(Physics);
        world.clear_trackers();
        let mut messages = world.resource_mut::<Messages<CollisionEvent>>();
        let events: Vec<CollisionEvent> = messages.drain().collect();
        let is_ordinary = |event: &&CollisionEvent| self.ordinary.contains(&event.entities()[0]);
        let events: Vec<_> = events.iter().filter(is_ordinary).collect();
        let mover = self.ordinary[3];
        let transform = self.app.world().get::<Transform>(mover);
        let hits = self.app.world().get::<MoverHits>(mover);
        format!("{events:?} {transform:?} {hits:?}")
    }

    /// Checks that all that is reported is finite.
    fn check(&mut self) {
        let world = self.app.world_mut();
        let are_finite = world.run_system_once(|collisions: Collisions| {
            (collisions.iter()).all(|pair| {
                let contact = pair.contact;
                contact.point.is_finite() && contact.normal.is_finite() && contact.depth.is_finite()
            })
        });
        assert!(are_finite.expect("the system runs"), "contacts");
        for hits in world.query::<&MoverHits>().iter(world) {
            for hit in hits.iter() {
                let are_finite = hit.point.is_finite() && hit.normal.is_finite();
                assert!(are_finite && hit.speed.is_finite(), "{hit:?}");
            }
        }
    }

    /// Asks all queries.
    fn ask(&mut self, shape: &Shape, vectors: [Vec2; 2], distance: f32, watch: Stopwatch) {
        let shape = shape.clone();
        let is_grid = matches!(shape, Shape::Tiles { .. });
        let asked = self
            .app
            .world_mut()
            .run_system_once(move |query: SpatialQuery| {
                let filter = &SpatialQueryFilter::default();
                let [origin, vector] = vectors;
                let ray = Ray2d::new(origin, Dir2::new(vector).unwrap_or(Dir2::X));
                let mover = Mover::with_velocity(vector);
                let hits = watch.call("ray_hits", || query.ray_hits(ray, distance, filter));
                assert!(
                    hits.iter()
                        .all(|(_, hit)| hit.distance.is_finite() && hit.normal.is_finite())
                );
                let hits = watch.call("shape_hits", || query.shape_hits(&shape, vector, filter));
                assert!(
                    hits.iter()
                        .all(|(_, hit)| hit.point.is_finite() && hit.normal.is_finite())
                );
                watch.call("cast_ray", || query.cast_ray(ray, distance, filter));
                watch.call("cast_shape", || query.cast_shape(&shape, vector, filter));
                watch.call("shape_intersections", || {
                    query.shape_intersections(&shape, filter)
                });
                watch.call("point_intersections", || {
                    query.point_intersections(origin, filter)
                });
                watch.call("project_point", || {
                    query.project_point(origin, distance, filter)
                });
                // It may sweep more than a hundred times, a grid with each of its cells.
                let sweeps = if is_grid { 300 } else { 20 };
                watch.times(sweeps).call("move_and_slide", || {
                    query.move_and_slide(&shape, &mover, distance, filter)
                });
            });
        asked.expect("the system runs");
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn whatever_the_numbers_of_a_scene_others_are_not_disturbed(
        things in vec(thing(), 1..9),
        shape in sample(),
        vectors in [vector(), vector()],
        distance in number(),
        margin in number(),
        milliseconds in prop_oneof![4 => Just(16u64), 1 => any::<u64>().prop_map(|n| n >> 24)],
    ) {
        let [mut plain, mut scene] = [Scene::new(margin), Scene::new(margin)];
        things.iter().for_each(|thing| scene.spawn(thing));
        let delta = Duration::from_millis(milliseconds);
        for update in 0..4 {
            prop_assert_eq!(plain.update(delta), scene.update(delta), "in update {}", update);
            scene.check();
            let are_valid =
                things.iter().map(|thing| &thing.shape).chain([&shape]).all(|shape| shape.is_valid);
            scene.ask(&shape.shape, vectors, distance, Stopwatch::of(are_valid));
            for (thing, &entity) in things.iter().zip(&scene.things) {
                scene.app.world_mut().entity_mut(entity).insert(thing.transforms[update % 2]);
            }
        }
    }
}
