//! Movers of several convex pieces: each piece is blocked, whatever the others touch.

use std::{f32::consts::FRAC_PI_4, time::Duration};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_thud::{
    geometry::{Polygon, separation},
    prelude::*,
};
use fastrand::Rng;

use crate::common::*;

/// A box: the x and y of its center, its width and its height.
type Block = [f32; 4];

/// How a mover has several pieces.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// The first block, with the others as its parts.
    Parts,
    /// One collider, whose outline is around all blocks.
    Polygon,
}

/// A mover of blocks, which are relative to its origin.
struct Body<'a> {
    kind: Kind,
    blocks: &'a [Block],
    mover: Entity,
}

fn rect([x, y, width, height]: Block) -> Shape {
    Shape::rect(Vec2::new(x, y), Vec2::new(width, height), Rot2::IDENTITY)
}

fn polygon_of([x, y, width, height]: Block) -> Polygon {
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(Vec2::from);
    let points = corners.map(|corner| Vec2::new(x, y) + corner * Vec2::new(width, height));
    Polygon::new(points).unwrap()
}

fn union(blocks: &[Block]) -> Polygon {
    let whole = blocks.iter().copied().map(polygon_of);
    whole.reduce(|p, q| p.union(&q)).unwrap()
}

impl<'a> Body<'a> {
    fn spawn(app: &mut App, kind: Kind, blocks: &'a [Block], origin: Vec2) -> Self {
        let [x, y, ..] = blocks[0];
        let collider = |[_, _, width, height]: Block| RectCollider::new(width, height);
        let mover = match kind {
            Kind::Parts => {
                let own = at(origin.x + x, origin.y + y);
                let mover = spawn(app, (collider(blocks[0]), Mover::default(), own));
                for &block in &blocks[1..] {
                    let place = at(block[0] - x, block[1] - y);
                    spawn(app, (collider(block), MoverPart, place, ChildOf(mover)));
                }
                mover
            }
            Kind::Polygon => {
                let collider = PolygonCollider::from(union(blocks));
                spawn(app, (collider, Mover::default(), at(origin.x, origin.y)))
            }
        };
        Self {
            kind,
            blocks,
            mover,
        }
    }

    /// Asserts that none of its pieces is in a wall, unless it is crushed.
    fn assert_outside(&self, app: &App, walls: &[Block], case: &str) {
        let [x, y, ..] = self.blocks[0];
        let origin = match self.kind {
            Kind::Parts => global_position(app, self.mover) - Vec2::new(x, y),
            Kind::Polygon => global_position(app, self.mover),
        };
        for &block in self.blocks {
            let piece = rect(block).translated(origin);
            for &wall in walls {
                let distance = separation(&piece, &rect(wall)).distance;
                assert!(
                    distance > -1e-3 || is_crushed(app, self.mover),
                    "{:?}, {case}: {block:?} at {origin} is in {wall:?} by {distance}",
                    self.kind,
                );
            }
        }
    }
}

fn app_at(rate: f32) -> App {
    let mut app = test_app();
    let step = Duration::from_secs_f32(1.0 / rate);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    app
}

#[test]
fn a_piece_lands_on_a_wall_that_another_piece_falls_along() {
    // A trunk that falls along the right side, with an arm above the top.
    let blocks = [[0.0, 0.0, 10.0, 10.0], [-30.019, 0.0, 30.0, 6.0]];
    let joined = [[0.0, 4.0, 10.0, 18.0], [-10.0, 10.0, 30.0, 6.0]];
    let wall = [0.0, 0.0, 30.0, 30.0];
    for rate in [15.0, 30.0, 60.0, 144.0, 240.0] {
        for (kind, blocks) in [
            (Kind::Parts, &blocks),
            (Kind::Parts, &joined),
            (Kind::Polygon, &joined),
        ] {
            for (walks, on_tiles) in [(false, false), (true, false), (false, true), (true, true)] {
                let mut app = app_at(rate);
                if on_tiles {
                    let tiles = TileCollider::from_rows(["###"; 3], Vec2::splat(10.0));
                    spawn(&mut app, (tiles, Solid));
                } else {
                    spawn(&mut app, (RectCollider::new(30.0, 30.0), Solid));
                }
                let body = Body::spawn(&mut app, kind, blocks, Vec2::new(20.019, 20.0));
                if walks {
                    app.world_mut()
                        .entity_mut(body.mover)
                        .insert(Walker::default());
                }
                let case = format!("{rate} Hz, walks {walks}, tiles {on_tiles}");
                for _ in 0..30 {
                    set_velocity(&mut app, body.mover, Vec2::new(0.0, -300.0));
                    app.update();
                    body.assert_outside(&app, &[wall], &case);
                }
                // The arm lies on the wall.
                let arm = blocks[1];
                let [_, y, ..] = blocks[0];
                let offset = if let Kind::Polygon = kind { 0.0 } else { y };
                let bottom = global_position(&app, body.mover).y - offset + arm[1] - arm[3] / 2.0;
                assert!((bottom - 15.02).abs() < 0.01, "{kind:?}, {case}: {bottom}");
            }
        }
    }
}

/// On a lattice, as maps are drawn: pieces are often flush with each other, and by a hair nearer to
/// walls than the skin.
#[test]
fn no_piece_of_a_body_enters_a_wall() {
    for seed in 0..cases(200, 5_000) {
        let mut rng = Rng::with_seed(seed);
        let mut half = |low: i8, high: i8| f32::from(rng.i8(low..=high)) / 2.0;
        let mut block = |reach: i8, size: i8| {
            let [x, y] = [half(-reach, reach), half(-reach, reach)];
            [x, y, half(1, size), half(1, size)]
        };
        let blocks: Vec<Block> = (0..3).map(|_| block(8, 10)).collect();
        let mut walls: Vec<Block> = (0..24).map(|_| block(24, 16)).collect();
        let mut gap = || f32::from(rng.i8(-1..=1)) * 0.95 * SKIN;
        let origin = Vec2::new(gap(), gap());
        walls.retain(|wall| {
            let is_apart = |own: &Block| {
                let own = rect(*own).translated(origin);
                separation(&own, &rect(*wall)).distance > 0.9 * SKIN
            };
            blocks.iter().all(is_apart)
        });
        let mut velocity = || {
            let angle = f32::from(rng.u8(0..8)) * FRAC_PI_4;
            Vec2::from_angle(angle) * 10f32.powf(1.0 + 2.0 * rng.f32())
        };
        let velocities: Vec<Vec2> = (0..12).map(|_| velocity()).collect();
        for kind in [Kind::Parts, Kind::Polygon] {
            if matches!(kind, Kind::Polygon) && union(&blocks).outlines().count() > 1 {
                continue;
            }
            let mut app = test_app();
            for &[x, y, width, height] in &walls {
                let wall = RectCollider::new(width, height);
                spawn(&mut app, (wall, Solid, at(x, y)));
            }
            let body = Body::spawn(&mut app, kind, &blocks, origin);
            for (number, &velocity) in velocities.iter().enumerate() {
                for _ in 0..8 {
                    set_velocity(&mut app, body.mover, velocity);
                    app.update();
                    let case = format!("seed {seed}, velocity {number}");
                    body.assert_outside(&app, &walls, &case);
                }
            }
        }
    }
}

/// A mover with a part that reaches to the right.
fn spawn_spear(app: &mut App, position: Vec2, velocity: Vec2) -> [Entity; 2] {
    let mover = Mover::with_velocity(velocity);
    let hero = spawn(
        app,
        (CircleCollider::new(5.0), mover, at(position.x, position.y)),
    );
    let shaft = RectCollider::new(40.0, 2.0);
    let tip = spawn(app, (shaft, MoverPart, at(20.0, 0.0), ChildOf(hero)));
    [hero, tip]
}

#[test]
fn a_part_that_passes_a_coin_reports_it() {
    for speed in [60.0, 6000.0] {
        let mut app = test_app();
        // At the higher speed, it is before the coin in one update, and past it in the next.
        let [_, tip] = spawn_spear(&mut app, Vec2::new(-70.0, 0.0), Vec2::X * speed);
        let coin = spawn(&mut app, (CircleCollider::new(2.0), at(0.0, 2.0)));
        let events = brief(&steps(&mut app, (300.0 / speed * 64.0) as usize + 2));
        assert!(events.contains(&started(tip, coin)), "{speed}: {events:?}");
    }
}

#[test]
fn a_part_that_stops_at_a_foe_collides_with_it() {
    for speed in [60.0, 6000.0] {
        let mut app = test_app();
        let [_, tip] = spawn_spear(&mut app, Vec2::new(-100.0, 0.0), Vec2::X * speed);
        let foe = spawn(&mut app, (CircleCollider::new(8.0), Solid, at(40.0, 0.0)));
        steps(&mut app, 240);
        assert!(contact_of(&mut app, tip, foe).is_some(), "{speed}");
    }
}

#[test]
fn a_body_ignores_until_all_its_parts_are_apart() {
    let mut app = test_app();
    let door = spawn(
        &mut app,
        (RectCollider::new(10.0, 100.0), Solid, at(20.0, 0.0)),
    );
    let [hero, _] = spawn_spear(&mut app, Vec2::ZERO, Vec2::X * -64.0);
    app.world_mut()
        .entity_mut(hero)
        .insert(Ignores::until_apart(door));
    for update in 1..40 {
        app.update();
        let x = -(update as f32);
        assert!((global_position(&app, hero).x - x).abs() < 1e-3, "{update}");
        let is_apart = x + 40.0 < 15.0;
        let ignores = app.world().get::<Ignores>(hero).is_some();
        assert!(
            ignores != is_apart || (x + 40.0 - 15.0).abs() < 2.0,
            "{update}"
        );
    }
}

#[test]
fn what_a_mover_ignores_its_parts_and_what_it_carries_ignore_as_well() {
    let mut app = test_app();
    let ship = spawn(
        &mut app,
        (CircleCollider::new(10.0), Solid, Mover::default()),
    );
    let shield = (RectCollider::new(4.0, 60.0), Solid, at(30.0, 0.0));
    let shield = app.world_mut().spawn((shield, ChildOf(ship))).id();
    let [spear, tip] = spawn_spear(&mut app, Vec2::ZERO, Vec2::X * 300.0);
    let pairs = [(spear, ship), (tip, ship), (spear, shield), (tip, shield)];
    app.update();
    assert!(
        pairs
            .iter()
            .any(|&(a, b)| contact_of(&mut app, a, b).is_some())
    );
    app.world_mut()
        .entity_mut(ship)
        .insert(Ignores::always(spear));
    for _ in 0..10 {
        app.world_mut().get_mut::<Mover>(spear).unwrap().velocity = Vec2::X * 300.0;
        app.update();
        for (a, b) in pairs {
            assert!(contact_of(&mut app, a, b).is_none());
        }
    }
    let x = global_position(&app, spear).x;
    assert!(x > 40.0, "{x}");
    app.world_mut().entity_mut(ship).remove::<Ignores>();
    app.world_mut().get_mut::<Mover>(spear).unwrap().velocity = Vec2::X * -300.0;
    steps(&mut app, 60);
    let x = global_position(&app, spear).x;
    assert!(x > 0.0, "{x}: the shield blocks the spear again");
}

#[test]
fn bodies_whose_parts_would_swap_places_stop_at_each_other() {
    for speed in [600.0, 3000.0, 12_000.0] {
        for rate in [30.0, 60.0] {
            let mut app = app_at(rate);
            let bodies = [-1.0, 1.0].map(|sign: f32| {
                let (own, part) = (RectCollider::new(10.0, 10.0), RectCollider::new(10.0, 20.0));
                let mover = Mover::with_velocity(Vec2::X * -sign * speed);
                let place = at(sign * 100.0, sign * 12.0);
                let body = spawn(&mut app, (own, mover, Solid, place));
                let place = at(0.0, sign * -10.0);
                spawn(&mut app, (part, Solid, MoverPart, place, ChildOf(body)));
                body
            });
            steps(&mut app, 30);
            let [left, right] = bodies.map(|body| global_position(&app, body).x);
            assert!(left < right - 9.9, "{speed} at {rate} Hz: {left} {right}");
        }
    }
}

#[test]
fn the_order_in_which_parts_are_spawned_makes_no_difference() {
    let blocks = [
        [0.0, 0.0, 4.0, 4.0],
        [4.5, 1.0, 6.0, 1.0],
        [-3.0, 3.5, 2.0, 5.0],
        [1.0, -4.0, 1.0, 6.0],
    ];
    for seed in 0..cases(150, 1500) {
        let ends = [[0, 1, 2, 3], [0, 3, 2, 1]].map(|order| {
            let mut rng = Rng::with_seed(seed);
            let mut app = test_app();
            let ordered = order.map(|number| blocks[number]);
            let body = Body::spawn(&mut app, Kind::Parts, &ordered, Vec2::ZERO);
            for _ in 0..12 {
                let mut number = |most: f32| (rng.f32() - 0.5) * 2.0 * most;
                let place = rotated(Vec2::new(number(40.0), number(40.0)), number(3.0));
                if place.translation.truncate().length() > 20.0 {
                    spawn(&mut app, (RectCollider::new(12.0, 6.0), Solid, place));
                }
            }
            let turns = Turning(rng.f32() - 0.5);
            app.world_mut().entity_mut(body.mover).insert(turns);
            for _ in 0..120 {
                set_velocity(&mut app, body.mover, Vec2::new(40.0, -25.0));
                app.update();
            }
            global_position(&app, body.mover)
        });
        assert_eq!(ends[0], ends[1], "seed {seed}");
    }
}
