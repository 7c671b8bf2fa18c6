//! How do the hitboxes of a punch live for three steps each, and hit once?

use std::ops::Range;

use bevy::prelude::*;
use bevy_thud::prelude::*;

/// A child of a fighter, without a collider. Its children are the hitboxes.
#[derive(Component, Default)]
struct Punch {
    /// The steps since it began.
    step: u32,
}

/// A collider in these steps of the punch.
#[derive(Component)]
#[require(ColliderDisabled)]
struct Hitbox(Range<u32>);

#[derive(Component)]
struct Health(i32);

fn animate(
    mut punches: Query<(&mut Punch, &Children)>,
    hitboxes: Query<&Hitbox>,
    mut commands: Commands,
) {
    for (mut punch, children) in &mut punches {
        for &child in children {
            match hitboxes.get(child) {
                Ok(hitbox) if hitbox.0.contains(&punch.step) => {
                    commands.entity(child).remove::<ColliderDisabled>();
                }
                _ => drop(commands.entity(child).insert(ColliderDisabled)),
            }
        }
        punch.step += 1;
    }
}

/// All hitboxes of a punch hit a fighter once. A hit on an arm counts for the fighter whose
/// `Health` is above it.
fn hurt(mut hits: Hits<With<Punch>, With<Health>>, mut fighters: Query<&mut Health>) {
    for hit in hits.read() {
        if let Ok(mut health) = fighters.get_mut(hit.b) {
            health.0 -= 1;
        }
    }
}

// ---- What tests it ----

use crate::app::*;

#[test]
fn a_punch_of_three_boxes_hurts_each_fighter_once_and_not_its_own() {
    let mut app = app(|app| {
        app.add_systems(Update, (animate, hurt).chain());
    });
    let fighter = |app: &mut App, x: f32| {
        let body = (CircleCollider::new(8.0), at(0.0, 8.0));
        let head = (CircleCollider::new(5.0), at(0.0, 20.0));
        let fighter = (Health(10), at(x, 0.0), children![body, head]);
        app.world_mut().spawn(fighter).id()
    };
    let [attacker, near, far, behind] = [0.0, 16.0, 40.0, -30.0].map(|x| fighter(&mut app, x));
    let health = |app: &App| {
        [attacker, near, far, behind].map(|who| app.world().get::<Health>(who).unwrap().0)
    };
    for punches in 1..=3 {
        let hitbox = |x, steps| (Hitbox(steps), RectCollider::new(16.0, 10.0), at(x, 14.0));
        let hitboxes = children![hitbox(10.0, 0..3), hitbox(20.0, 3..6), hitbox(30.0, 6..9)];
        let punch = (Punch::default(), at(0.0, 0.0), ChildOf(attacker), hitboxes);
        let punch = app.world_mut().spawn(punch).id();
        run(&mut app, 0.25);
        assert_eq!(health(&app), [10, 10 - punches, 10 - punches, 10]);
        app.world_mut().despawn(punch);
    }
}
