//! A crowd moves the same, whatever happened in the world before: restored, spawned in another
//! order, or with others far away.

use bevy::{
    ecs::entity::{EntityHashMap, MapEntities},
    prelude::*,
};
use bevy_thud::prelude::*;
use fastrand::Rng;

use crate::common::*;

const MOVERS: usize = 90;
/// Half of the room in which they are.
const HALF: f32 = 60.0;

/// A mover as a saved game stores it.
#[derive(Clone)]
struct Saved {
    transform: Transform,
    mover: Mover,
    hits: MoverHits,
    size: Vec2,
    is_circle: bool,
    is_solid: bool,
}

impl Saved {
    fn random(rng: &mut Rng) -> Self {
        let mut within = |limit: f32| (2.0 * rng.f32() - 1.0) * limit;
        let position = Vec2::new(within(HALF - 4.0), within(HALF - 4.0));
        Self {
            transform: rotated(position, within(3.0)),
            mover: Mover {
                weight: 0.5 + rng.f32(),
                ..default()
            },
            hits: MoverHits::default(),
            size: Vec2::new(2.0 + 2.0 * rng.f32(), 2.0 + 2.0 * rng.f32()),
            is_circle: rng.u8(..3) > 0,
            is_solid: rng.u8(..8) > 0,
        }
    }

    fn spawn(&self, app: &mut App) -> Entity {
        let entity = spawn(app, (self.transform, self.mover.clone()));
        let mut entity_mut = app.world_mut().entity_mut(entity);
        if self.is_circle {
            entity_mut.insert(CircleCollider::new(self.size.x / 2.0));
        } else {
            entity_mut.insert(RectCollider::new(self.size.x, self.size.y));
        }
        if self.is_solid {
            entity_mut.insert(Solid);
        }
        entity
    }
}

/// A room that two walls with doors divide, with a grid, one-way walls and crossed walls in it.
fn walls() -> Vec<(Vec2, Vec2, f32, Option<Dir2>)> {
    let mut walls = vec![];
    for side in [-1.0, 1.0] {
        let (across, along) = (Vec2::X * HALF * side, Vec2::Y * HALF * side);
        walls.push((across, Vec2::new(4.0, 2.0 * HALF), 0.0, None));
        walls.push((along, Vec2::new(2.0 * HALF, 4.0), 0.0, None));
        for y in [-35.0, 35.0] {
            walls.push((Vec2::new(20.0 * side, y), Vec2::new(3.0, 55.0), 0.0, None));
        }
        walls.push((Vec2::new(40.0 * side, 5.0), Vec2::new(16.0, 2.0), 0.3, None));
        for angle in [0.8, -0.8] {
            let position = Vec2::new(0.0, 20.0 * side);
            walls.push((position, Vec2::new(12.0, 2.0), angle, None));
        }
        let position = Vec2::new(45.0 * side, -20.0);
        walls.push((position, Vec2::new(14.0, 2.0), 0.0, Some(Dir2::Y)));
    }
    walls
}

/// The walls, sorted as in [`walls`], and then the grid.
fn spawn_walls(app: &mut App, order: impl Iterator<Item = usize>) -> Vec<Entity> {
    let walls = walls();
    let mut spawned = vec![Entity::PLACEHOLDER; walls.len()];
    for number in order {
        let (position, size, angle, one_way) = walls[number];
        let wall = (
            RectCollider::new(size.x, size.y),
            Solid,
            rotated(position, angle),
        );
        let wall = spawn(app, wall);
        if let Some(direction) = one_way {
            app.world_mut().entity_mut(wall).insert(OneWay(direction));
        }
        spawned[number] = wall;
    }
    let rows = ["#..#", "####", ".##."];
    let grid = TileCollider::from_rows(rows, Vec2::splat(3.0));
    spawned.push(spawn(app, (grid, Solid, at(0.0, -25.0))));
    spawned
}

/// A world with the room and the crowd in it, and the entities of both.
struct Room {
    app: App,
    walls: Vec<Entity>,
    movers: Vec<Entity>,
}

impl Room {
    fn new(saved: &[Saved]) -> Self {
        let mut app = test_app();
        let walls = spawn_walls(&mut app, 0..walls().len());
        let movers = saved.iter().map(|saved| saved.spawn(&mut app)).collect();
        Self { app, walls, movers }
    }

    /// All push through the doors to one side, then to the other.
    fn step(&mut self, frame: usize) {
        let side = if (frame / 60).is_multiple_of(2) {
            1.0
        } else {
            -1.0
        };
        for (number, &mover) in self.movers.iter().enumerate() {
            let transform = self.app.world().get::<Transform>(mover).unwrap();
            let goal = Vec2::new(45.0 * side, 20.0 * (number as f32).sin());
            let to_goal = goal - transform.translation.truncate();
            set_velocity(&mut self.app, mover, to_goal.clamp_length_max(40.0));
        }
        self.app.update();
    }

    fn bits(&self) -> Vec<[u32; 2]> {
        let translation = |&mover| {
            self.app
                .world()
                .get::<Transform>(mover)
                .unwrap()
                .translation
        };
        let bits = |position: Vec3| [position.x.to_bits(), position.y.to_bits()];
        self.movers.iter().map(translation).map(bits).collect()
    }

    fn save(&self, saved: &[Saved]) -> Vec<Saved> {
        let world = self.app.world();
        let now = self.movers.iter().zip(saved).map(|(&mover, saved)| Saved {
            transform: *world.get::<Transform>(mover).unwrap(),
            mover: world.get::<Mover>(mover).unwrap().clone(),
            hits: world.get::<MoverHits>(mover).unwrap().clone(),
            ..saved.clone()
        });
        now.collect()
    }

    /// Gives the movers their hits, which name entities of the world in which they were saved.
    fn restore_hits(&mut self, saved: &[Saved], there: &Self) {
        let old = there.walls.iter().chain(&there.movers).copied();
        let new = self.walls.iter().chain(&self.movers).copied();
        let mut here: EntityHashMap<Entity> = old.zip(new).collect();
        for (&mover, saved) in self.movers.iter().zip(saved) {
            let mut hits = saved.hits.clone();
            hits.map_entities(&mut here);
            self.app.world_mut().entity_mut(mover).insert(hits);
        }
    }
}

/// What differs in a world in which a crowd is restored.
#[derive(Clone, Copy, Debug)]
struct Differences {
    /// Others were there before, and are gone.
    had_others: bool,
    is_shuffled: bool,
    has_bystander: bool,
}

fn restored(saved: &[Saved], differs: Differences, rng: &mut Rng) -> Room {
    let mut app = test_app();
    if differs.had_others {
        let others: Vec<Entity> = (0..150)
            .map(|_| Saved::random(rng).spawn(&mut app))
            .collect();
        steps(&mut app, 5);
        for other in others {
            app.world_mut().despawn(other);
        }
        app.update();
    }
    let mut order: Vec<usize> = (0..saved.len()).collect();
    let mut order_of_walls: Vec<usize> = (0..walls().len()).collect();
    if differs.is_shuffled {
        rng.shuffle(&mut order);
        rng.shuffle(&mut order_of_walls);
    }
    let walls = spawn_walls(&mut app, order_of_walls.into_iter());
    let mut movers = vec![Entity::PLACEHOLDER; saved.len()];
    for number in order {
        movers[number] = saved[number].spawn(&mut app);
    }
    if differs.has_bystander {
        let mover = Mover::with_velocity(Vec2::new(30.0, -50.0));
        spawn(&mut app, (ball(5000.0, -3000.0), Solid, mover));
    }
    Room { app, walls, movers }
}

fn assert_continues_the_same(crowds: u64, differs: Differences) {
    let mut failed = vec![];
    for seed in 0..crowds {
        let mut rng = Rng::with_seed(seed);
        let saved: Vec<Saved> = (0..MOVERS).map(|_| Saved::random(&mut rng)).collect();
        let mut room = Room::new(&saved);
        let before = 50;
        (0..before).for_each(|frame| room.step(frame));
        let saved = room.save(&saved);
        let mut twin = restored(&saved, differs, &mut rng);
        twin.restore_hits(&saved, &room);
        for frame in before..before + 300 {
            room.step(frame);
            twin.step(frame);
            let (here, there) = (room.bits(), twin.bits());
            if let Some(number) = (0..MOVERS).find(|&number| here[number] != there[number]) {
                failed.push(format!("seed {seed}, frame {frame}, mover {number}"));
                break;
            }
        }
    }
    assert!(failed.is_empty(), "{differs:?}: {failed:?}");
}

const RESTORED: Differences = Differences {
    had_others: false,
    is_shuffled: false,
    has_bystander: false,
};

#[test]
fn a_restored_crowd_continues_as_before() {
    assert_continues_the_same(4, RESTORED);
}

#[test]
fn a_crowd_moves_the_same_where_others_were_before() {
    assert_continues_the_same(
        2,
        Differences {
            had_others: true,
            ..RESTORED
        },
    );
}

#[test]
fn a_crowd_moves_the_same_with_a_bystander_far_away() {
    assert_continues_the_same(
        2,
        Differences {
            has_bystander: true,
            ..RESTORED
        },
    );
}

#[test]
fn a_crowd_that_is_spawned_in_another_order_moves_the_same() {
    assert_continues_the_same(
        2,
        Differences {
            is_shuffled: true,
            ..RESTORED
        },
    );
}

#[test]
fn a_crowd_moves_the_same_whatever_is_different_elsewhere() {
    assert_continues_the_same(
        2,
        Differences {
            had_others: true,
            is_shuffled: true,
            has_bystander: true,
        },
    );
}

#[test]
#[ignore = "takes minutes: the same with more crowds"]
fn crowds_move_the_same_whatever_is_different_elsewhere() {
    for bits in 0..8 {
        assert_continues_the_same(
            6,
            Differences {
                had_others: bits & 1 != 0,
                is_shuffled: bits & 2 != 0,
                has_bystander: bits & 4 != 0,
            },
        );
    }
}
