//! One-way platforms: to jump through from below, stand and ride on, and drop through.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::course::{Body, Course, bodies};

/// A plank at this height, 4 thick.
fn plank(course: &mut Course, height: f32) -> Entity {
    let plank = course.block([0.0, height - 2.0], [80.0, 4.0]);
    course
        .app
        .world_mut()
        .entity_mut(plank)
        .insert(OneWay(Dir2::Y));
    plank
}

fn on_ground(body: &Shape, hertz: f64) -> Course {
    let mut course = Course::at_rate(hertz, body, Vec2::new(0.0, 6.1), Walker::default());
    course.block([0.0, -8.0], [400.0, 16.0]);
    course.settle();
    course
}

fn drop_through(course: &mut Course) {
    let walker = course.walker;
    let mut ground: Mut<Ground> = course.app.world_mut().get_mut(walker).unwrap();
    ground.drop_through();
}

#[test]
fn a_plank_is_jumped_through_from_below_stood_on_ridden_and_dropped_through() {
    for (name, body) in bodies() {
        for hertz in [30.0, 60.0, 240.0] {
            let mut course = on_ground(&body, hertz);
            let plank = plank(&mut course, 24.0);
            course.jump(300.0);
            course.steps(hertz as usize);
            let stands_on = |course: &Course| course.ground().floor().map(|floor| floor.entity);
            assert_eq!(stands_on(&course), Some(plank), "{name} at {hertz} Hz");
            assert!(
                (course.position().y - 30.02).abs() < 0.03,
                "{name}: {}",
                course.position()
            );
            let offset = course.position() - course.position_of(plank);
            for step in 0..hertz as usize * 4 {
                let angle = step as f32 / hertz as f32 * 2.0;
                let position = Vec2::new(0.0, 22.0) + 15.0 * (Vec2::from_angle(angle) - Vec2::X);
                course.transform(plank).translation = position.extend(0.0);
                course.step();
                let now = course.position() - course.position_of(plank);
                assert!(
                    now.distance(offset) < 0.01,
                    "{name} at {hertz} Hz, step {step}: {now}"
                );
            }
            assert_eq!(course.left.len(), 1, "{name}");
            drop_through(&mut course);
            course.steps(hertz as usize);
            assert!(
                course.position().y < 6.1,
                "{name} at {hertz} Hz: {}",
                course.position()
            );
            assert!(course.ground().is_on_floor());
        }
    }
}

#[test]
fn overlapping_planks_are_dropped_through_together_and_the_next_one_holds() {
    for (name, body) in bodies() {
        for hertz in [30.0, 60.0, 240.0] {
            let mut course = on_ground(&body, hertz);
            plank(&mut course, 100.0);
            plank(&mut course, 98.0);
            let next = plank(&mut course, 60.0);
            course.transform(course.walker).translation.y = 110.0;
            course.steps(hertz as usize);
            assert!(course.position().y > 105.0, "{name}");
            drop_through(&mut course);
            course.steps(hertz as usize);
            assert_eq!(
                course.ground().floor().unwrap().entity,
                next,
                "{name} at {hertz} Hz"
            );
        }
    }
}

#[test]
fn a_walker_that_drops_stands_on_the_next_plank_however_near() {
    for (name, body) in bodies() {
        let height = body.aabb().max.y - body.aabb().min.y;
        for hertz in [20.0, 30.0, 60.0, 144.0] {
            for gap in [0.2, 1.0, 3.0, 8.0] {
                let mut course = on_ground(&body, hertz);
                plank(&mut course, 100.0);
                let next = plank(&mut course, 96.0 - height - gap);
                course.transform(course.walker).translation.y = 108.0;
                course.steps(hertz as usize);
                drop_through(&mut course);
                course.steps(hertz as usize);
                let floor = course.ground().floor().map(|floor| floor.entity);
                assert_eq!(floor, Some(next), "{name} at {hertz} Hz, {gap}");
                assert_eq!(course.landed.len(), 2, "{name} at {hertz} Hz, {gap}");
            }
        }
    }
}

#[test]
fn cells_of_a_one_way_grid_are_dropped_through() {
    for (name, body) in bodies() {
        let mut course = on_ground(&body, 60.0);
        let tiles = TileCollider::from_rows(
            ["####", "....", "....", "....", "....", "####"],
            Vec2::splat(16.0),
        );
        let transform = Transform::from_xyz(0.0, 100.0, 0.0);
        course
            .app
            .world_mut()
            .spawn((tiles, transform, Solid, OneWay(Dir2::Y)));
        course.transform(course.walker).translation.y = 160.0;
        course.steps(60);
        assert!(
            (course.position().y - 154.02).abs() < 0.1,
            "{name}: {}",
            course.position()
        );
        drop_through(&mut course);
        course.steps(60);
        assert!(
            (course.position().y - 74.02).abs() < 0.1,
            "{name}: {}",
            course.position()
        );
        drop_through(&mut course);
        course.steps(60);
        assert!(course.position().y < 6.1, "{name}: {}", course.position());
    }
}

#[test]
fn a_plank_that_rises_is_dropped_through_whether_it_is_swept() {
    for (name, body) in bodies() {
        for hertz in [60.0, 240.0] {
            for is_swept in [false, true] {
                let mut course =
                    Course::at_rate(hertz, &body, Vec2::new(0.0, 6.1), Walker::default());
                let lift = plank(&mut course, 0.0);
                if is_swept {
                    course.app.world_mut().entity_mut(lift).insert(Swept);
                }
                course.settle();
                course.steps(2);
                drop_through(&mut course);
                for _ in 0..hertz as usize {
                    course.transform(lift).translation.y += 60.0 / hertz as f32;
                    course.step();
                }
                let above = course.position().y - course.position_of(lift).y;
                assert!(above < 0.0, "{name} at {hertz}, swept: {is_swept}: {above}");
            }
        }
    }
}

#[test]
fn a_neighbor_does_not_hold_who_drops_through_a_plank() {
    for (name, body) in bodies() {
        for hertz in [60.0, 240.0] {
            for is_mover in [false, true] {
                let mut course =
                    Course::at_rate(hertz, &body, Vec2::new(0.0, 6.1), Walker::default());
                let plank = plank(&mut course, 0.0);
                course.settle();
                let neighbor = Transform::from_xyz(12.5, course.position().y, 0.0);
                let neighbor = (Body(body.clone()), neighbor, Mover::default(), Solid);
                course.app.world_mut().spawn(neighbor);
                if is_mover {
                    let mover = Mover::default();
                    course.app.world_mut().entity_mut(plank).insert(mover);
                }
                course.steps(2);
                drop_through(&mut course);
                course.steps(hertz as usize / 4);
                let height = course.position().y;
                assert!(height < -10.0, "{name} at {hertz} Hz, {is_mover}: {height}");
            }
        }
    }
}

/// Solid ground and a ramp, a floor that bends upward, and a ramp that bends further upward.
fn bent_floors() -> [Vec<Vec<[f32; 2]>>; 3] {
    let ground = vec![[-100.0, 0.0], [-100.0, -4.0], [0.0, -4.0], [0.0, 0.0]];
    let ramp = vec![[0.0, 0.0], [0.0, -4.0], [100.0, 46.0], [100.0, 50.0]];
    let flat_and_ramp = [
        [-100.0, 0.0],
        [-100.0, -4.0],
        [0.0, -4.0],
        [100.0, 46.0],
        [100.0, 50.0],
        [0.0, 0.0],
    ];
    let two_ramps = [
        [-100.0, -27.0],
        [-100.0, -31.0],
        [0.0, -4.0],
        [100.0, 54.0],
        [100.0, 58.0],
        [0.0, 0.0],
    ];
    [
        vec![ground, ramp],
        vec![flat_and_ramp.to_vec()],
        vec![two_ramps.to_vec()],
    ]
}

#[test]
fn a_one_way_floor_that_bends_upward_is_walked_like_any_other() {
    for (name, body) in bodies() {
        for (number, floor) in bent_floors().into_iter().enumerate() {
            let height = floor[0][0][1] / 2.0 + 9.0;
            let start = Vec2::new(-50.0, height);
            let [mut solid, mut one_way] = [false, true].map(|is_one_way| {
                let mut course = Course::new(&body, start, Walker::default());
                for outline in &floor {
                    let points = outline.iter().map(|&point| Vec2::from(point));
                    let wall = course.wall(Shape::polygon(points).unwrap());
                    if is_one_way {
                        let direction = OneWay(Dir2::Y);
                        course.app.world_mut().entity_mut(wall).insert(direction);
                    }
                }
                course.settle();
                course.speed = 100.0;
                course
            });
            for step in 0..70 {
                for course in [&mut solid, &mut one_way] {
                    course.step();
                    assert!(course.ground().is_on_floor(), "{name}, {number}, {step}");
                }
                let [expected, position] = [solid.position(), one_way.position()];
                assert!(
                    position.distance(expected) < 0.01,
                    "{name}, {number}, {step}: {position} {expected}"
                );
            }
            assert!(one_way.position().y > 25.0, "{name}, {number}");
        }
    }
}

#[test]
fn a_lift_that_rises_beside_a_floor_that_moves_takes_the_walker_along() {
    for (name, body) in bodies() {
        let mut course = Course::new(&body, Vec2::new(0.0, 6.1), Walker::default());
        let ferry = course.block([-36.0, -8.0], [80.0, 16.0]);
        let lift = plank(&mut course, -0.5);
        course.settle();
        course.steps(2);
        for step in 0..20 {
            course.transform(ferry).translation.x += 1.0;
            course.transform(lift).translation.y += 1.0;
            course.step();
            let height = course.position().y - course.position_of(lift).y;
            assert!((height - 8.02).abs() < 0.03, "{name}, {step}: {height}");
        }
    }
}

#[test]
fn the_corner_of_a_plank_is_no_wall_for_a_hull_that_rises_past_it() {
    let right = [[3.0, -12.0], [6.0, -6.0], [6.0, 12.0]].map(Vec2::from);
    let left = right.map(|point| Vec2::new(-point.x, point.y));
    let hull = Shape::polygon(right.into_iter().chain(left.into_iter().rev())).unwrap();
    for tenth in 0..60 {
        for hertz in [30.0, 60.0, 144.0] {
            let start = Vec2::new(0.1 * tenth as f32, 12.1);
            let mut course = Course::at_rate(hertz, &hull, start, Walker::default());
            course.block([0.0, -8.0], [400.0, 16.0]);
            let plank = course.block([-8.0, 41.0], [16.0, 8.0]);
            let mut plank = course.app.world_mut().entity_mut(plank);
            plank.insert(OneWay(Dir2::Y));
            course.settle();
            course.jump(300.0);
            for _ in 0..hertz as u32 {
                course.step();
                let wall = course.ground().wall();
                assert_eq!(wall, None, "at {} and {hertz} Hz", course.position());
            }
        }
    }
}
