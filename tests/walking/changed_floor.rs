//! The events of walkers that land, change floors and leave them.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Course, bodies};

fn drain<M: Message>(course: &mut Course) -> Vec<M> {
    let mut messages = course.app.world_mut().resource_mut::<Messages<M>>();
    messages.drain().collect()
}

fn floor_of(course: &Course) -> Option<Entity> {
    course.ground().floor().map(|floor| floor.entity)
}

/// The floor of a walker as its events have it.
#[derive(Default)]
struct Reported {
    floor: Option<Entity>,
    changes: usize,
}

impl Reported {
    /// Receives the events of one update, in their order.
    fn receive(&mut self, course: &mut Course) {
        for left in std::mem::take(&mut course.left) {
            assert_eq!(
                self.floor,
                Some(left.floor),
                "it leaves the floor on which it stood"
            );
            self.floor = None;
        }
        for landed in std::mem::take(&mut course.landed) {
            assert_eq!(self.floor, None, "it lands from the air");
            self.floor = Some(landed.floor);
        }
        for changed in drain::<ChangedFloor>(course) {
            assert_eq!(self.floor, Some(changed.from), "it changes from its floor");
            assert_ne!(changed.from, changed.to);
            self.floor = Some(changed.to);
            self.changes += 1;
        }
    }
}

#[test]
fn events_name_the_floor_of_the_walker() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut changes = 0;
    for (name, body) in bodies() {
        for _ in 0..3 {
            let mut course = Course::new(&body, Vec2::new(8.0, 6.1), Walker::default());
            // Ten floors, of which some are apart.
            for number in 0..10 {
                let gap = if number % 4 == 3 { 4.0 } else { 0.0 };
                course.block([30.0 * number as f32, -8.0], [30.0 - gap, 16.0]);
            }
            let mut reported = Reported::default();
            for step in 0..600 {
                if rng.u8(0..20) == 0 {
                    course.speed = [-200.0, -60.0, 0.0, 60.0, 200.0][rng.usize(0..5)];
                }
                let x = course.position().x;
                if x < 5.0 {
                    course.speed = 100.0;
                } else if x > 265.0 {
                    course.speed = -100.0;
                }
                if rng.u8(0..30) == 0 && course.ground().is_on_floor() {
                    course.jump(200.0);
                }
                course.step();
                reported.receive(&mut course);
                assert_eq!(reported.floor, floor_of(&course), "{name}, step {step}");
            }
            changes += reported.changes;
        }
    }
    assert!(changes > 50, "{changes}");
}

#[test]
fn a_change_of_floors_is_observed_once_and_not_within_a_tile_map() {
    #[derive(Resource, Default)]
    struct Seen(Vec<ChangedFloor>);
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(8.0, 6.1), Walker::default());
        let block = course.block([0.0, -8.0], [60.0, 16.0]);
        let map = TileCollider::from_rows(["########"], Vec2::splat(16.0));
        let transform = Transform::from_xyz(30.0 + 64.0, -8.0, 0.0);
        let map = (course.app.world_mut().spawn((map, transform, Solid))).id();
        course.app.init_resource::<Seen>();
        let walker = course.walker;
        (course.app.world_mut().entity_mut(walker))
            .observe(|event: On<ChangedFloor>, mut seen: ResMut<Seen>| seen.0.push(*event.event()));
        course.settle();
        course.speed = 100.0;
        course.steps(80);
        let expected = ChangedFloor {
            entity: walker,
            from: block,
            to: map,
        };
        assert_eq!(
            course.app.world().resource::<Seen>().0,
            [expected],
            "{name}"
        );
        assert_eq!(course.left, [], "{name}");
        // The floor is replaced under its feet.
        let at = *course.app.world().get::<Transform>(map).unwrap();
        let tiles = (course.app.world().get::<TileCollider>(map).unwrap()).clone();
        course.app.world_mut().despawn(map);
        let new = course.app.world_mut().spawn((tiles, at, Solid)).id();
        course.speed = 0.0;
        course.step();
        let last = course.app.world().resource::<Seen>().0[1];
        assert_eq!((last.from, last.to), (map, new), "{name}");
    }
}
