//! The velocity of a floor, which a walker keeps when it jumps.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use crate::{
    course::{Course, bodies},
    platforms::on_platform,
};

fn boxed() -> Shape {
    bodies()[1].1.clone()
}

#[test]
fn who_jumps_off_a_platform_as_it_is_teleported_keeps_its_velocity_before() {
    for is_mover in [false, true] {
        for jumps in [false, true] {
            let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
            let mover = Mover::with_velocity(Vec2::X * 60.0);
            let mut entity = course.app.world_mut().entity_mut(platform);
            if is_mover {
                entity.insert(mover);
            } else {
                entity.insert(Swept);
            }
            let go_on = |course: &mut Course| {
                if !is_mover {
                    course.transform(platform).translation.x += 1.0;
                }
            };
            for _ in 0..10 {
                go_on(&mut course);
                course.step();
            }
            go_on(&mut course);
            course.transform(platform).translation.x -= 600.0;
            let mut state = course.app.world_mut().resource_mut::<CollisionState>();
            state.teleport(platform);
            if jumps {
                course.jump(250.0);
            }
            course.step();
            let velocity = if jumps {
                course.velocity()
            } else {
                course.ground().floor_velocity()
            };
            assert!(
                (velocity.x - 60.0).abs() < 0.1,
                "{is_mover} {jumps}: {velocity}"
            );
            assert!(course.position().x < -500.0);
        }
    }
}

#[test]
fn the_velocity_of_a_mover_is_known_whatever_its_parent_rounds() {
    let (mut course, platform) = on_platform(&boxed(), [60.0, 10.0], Walker::default());
    let parent = Transform::from_rotation(Quat::from_rotation_z(0.7)).with_scale(Vec3::splat(1.3));
    let inverse = parent.compute_affine().inverse();
    let parent = course.app.world_mut().spawn(parent).id();
    let local = inverse.transform_point3(course.position_of(platform).extend(0.0));
    let rotation = Quat::from_rotation_z(-0.7);
    let scale = Vec3::splat(1.0 / 1.3);
    let transform = Transform {
        translation: local,
        rotation,
        scale,
    };
    let mut entity = course.app.world_mut().entity_mut(platform);
    entity.insert((Mover::default(), ChildOf(parent), transform));
    course.steps(3);
    for step in 1..100u8 {
        let velocity = Vec2::new(f32::from(step), 0.0);
        let mut mover: Mut<Mover> = course.app.world_mut().get_mut(platform).unwrap();
        mover.velocity = velocity;
        course.step();
        let known = course.ground().floor_velocity();
        assert!(known.distance(velocity) < 0.1, "{velocity}: {known}");
    }
}
