//! Which entities can be picked.

use bevy::{
    camera::visibility::{InheritedVisibility, RenderLayers},
    ecs::entity_disabling::Disabled,
    picking::Pickable,
    prelude::*,
};
use bevy_thud::{CollisionPickingCamera, CollisionPickingSettings, prelude::*};

use crate::common::{
    CENTER, app_with_camera, ball, camera, flat, flat_camera, hovered_at, picked_at, spawn,
    test_app,
};

#[test]
fn a_collider_lets_through_what_its_pickable_says() {
    let see_through = Pickable {
        should_block_lower: false,
        is_hoverable: true,
    };
    let curtain = Pickable {
        should_block_lower: true,
        is_hoverable: false,
    };
    for (pickable, hovers_itself, hovers_lower) in [
        (None, true, false),
        (Some(Pickable::default()), true, false),
        (Some(see_through), true, true),
        (Some(curtain), false, false),
        (Some(Pickable::IGNORE), false, true),
    ] {
        let mut app = app_with_camera();
        let lower = spawn(&mut app, ball(0.0, 0.0, 0.0));
        let upper = spawn(&mut app, ball(0.0, 0.0, 1.0));
        if let Some(pickable) = pickable {
            app.world_mut().entity_mut(upper).insert(pickable);
        }
        app.update();
        let hovered = hovered_at(&mut app, CENTER);
        let expected = [(lower, hovers_lower), (upper, hovers_itself)];
        for (entity, is_expected) in expected {
            assert_eq!(hovered.contains(&entity), is_expected, "{pickable:?}");
        }
        let is_ignored = pickable == Some(Pickable::IGNORE);
        let picked = picked_at(&mut app, CENTER);
        assert_eq!(picked.contains(&upper), !is_ignored, "{pickable:?}");
    }
}

#[test]
fn markers_can_be_required() {
    for (camera_is_marked, ball_is_marked) in
        [(false, false), (false, true), (true, false), (true, true)]
    {
        let mut app = test_app();
        let camera = spawn(&mut app, flat_camera());
        let ball = spawn(&mut app, ball(0.0, 0.0, 0.0));
        if camera_is_marked {
            app.world_mut()
                .entity_mut(camera)
                .insert(CollisionPickingCamera);
        }
        if ball_is_marked {
            app.world_mut().entity_mut(ball).insert(Pickable::default());
        }
        app.update();
        assert_eq!(picked_at(&mut app, CENTER), [ball]);
        let require_markers = true;
        app.insert_resource(CollisionPickingSettings { require_markers });
        let is_picked = camera_is_marked && ball_is_marked;
        assert_eq!(picked_at(&mut app, CENTER).len(), usize::from(is_picked));
    }
}

#[test]
fn cameras_pick_on_their_layers() {
    let layers = |layers: &[usize]| RenderLayers::from_layers(layers);
    for (of_camera, of_ball, is_picked) in [
        (None, None, true),
        (None, Some(layers(&[0, 3])), true),
        (None, Some(layers(&[3])), false),
        (Some(layers(&[3])), None, false),
        (Some(layers(&[2, 3])), Some(layers(&[3, 4])), true),
        (Some(layers(&[2])), Some(layers(&[3])), false),
    ] {
        let mut app = test_app();
        let camera = spawn(&mut app, flat_camera());
        let ball = spawn(&mut app, ball(0.0, 0.0, 0.0));
        for (entity, layers) in [(camera, &of_camera), (ball, &of_ball)] {
            if let Some(layers) = layers {
                app.world_mut().entity_mut(entity).insert(layers.clone());
            }
        }
        app.update();
        let picked = picked_at(&mut app, CENTER);
        assert_eq!(
            picked.len(),
            usize::from(is_picked),
            "{of_camera:?} {of_ball:?}"
        );
    }
}

#[test]
fn the_hidden_is_not_picked() {
    let mut app = app_with_camera();
    let ball = spawn(
        &mut app,
        (ball(0.0, 0.0, 0.0), InheritedVisibility::VISIBLE),
    );
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), [ball]);
    app.world_mut()
        .entity_mut(ball)
        .insert(InheritedVisibility::HIDDEN);
    assert_eq!(picked_at(&mut app, CENTER), []);
}

#[test]
fn the_disabled_and_the_despawned_are_not_picked() {
    let mut app = app_with_camera();
    let [off, asleep, gone] = [1.0, 2.0, 3.0].map(|z| spawn(&mut app, ball(0.0, 0.0, z)));
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), [gone, asleep, off]);
    app.world_mut().despawn(gone);
    assert_eq!(picked_at(&mut app, CENTER), [asleep, off]);
    app.world_mut().entity_mut(asleep).insert(Disabled);
    assert_eq!(picked_at(&mut app, CENTER), [off]);
    app.world_mut().entity_mut(off).insert(ColliderDisabled);
    app.update();
    assert_eq!(picked_at(&mut app, CENTER), []);
}

#[test]
fn heights_that_are_no_numbers_are_nowhere() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut app = app_with_camera();
        spawn(&mut app, ball(0.0, 0.0, bad));
        let good = spawn(&mut app, ball(0.0, 0.0, 0.0));
        app.update();
        assert_eq!(picked_at(&mut app, CENTER), [good], "{bad}");
    }
}

#[test]
fn cameras_without_an_extent_do_no_harm() {
    for scale in [[0.0; 3], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [f32::NAN; 3]] {
        let mut app = test_app();
        let flattened = Transform::from_scale(scale.into());
        for lens in [flat(1.0), PerspectiveProjection::default().into()] {
            spawn(&mut app, (camera(lens, None, 1.0), flattened));
        }
        spawn(&mut app, ball(0.0, 0.0, -1.0));
        app.update();
        picked_at(&mut app, CENTER);
    }
}
