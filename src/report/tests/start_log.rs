//! Which earlier pairs are logged: as few as there may be, however many are below one root.

use bevy::prelude::*;

use super::super::StartLog;
use crate::prelude::*;

/// An app with a level of two groups, below which these numbers of pairs overlap: in the first
/// group, in the second one, and across the two.
fn level(counts: [usize; 3]) -> (App, [Entity; 2]) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, CollisionPlugin::default()));
    let world = app.world_mut();
    let level = world.spawn(Transform::IDENTITY).id();
    let groups = [(); 2].map(|()| world.spawn((Transform::IDENTITY, ChildOf(level))).id());
    let [first, second] = groups;
    let parents = [[first; 2], [second; 2], groups];
    for (row, (count, parents)) in counts.into_iter().zip(parents).enumerate() {
        for x in 0..count {
            for parent in parents {
                spawn(&mut app, parent, Vec2::new(x as f32, row as f32) * 10.0);
            }
        }
    }
    app.update();
    (app, groups)
}

fn spawn(app: &mut App, parent: Entity, position: Vec2) {
    let circle = (
        CircleCollider::new(1.0),
        Transform::from_translation(position.extend(0.0)),
    );
    app.world_mut().spawn((circle, ChildOf(parent)));
}

/// How many earlier pairs are logged after a pair starts whose colliders have these parents.
fn logged(counts: [usize; 3], parents: impl Fn([Entity; 2]) -> [Entity; 2]) -> usize {
    let (mut app, groups) = level(counts);
    for parent in parents(groups) {
        spawn(&mut app, parent, Vec2::new(0.0, -100.0));
    }
    app.update();
    let log = app.world().resource::<StartLog>();
    // Ids of messages count from zero.
    let start = log.start(counts.iter().sum()).unwrap();
    log.earlier(start.update).len()
}

#[test]
fn pairs_of_siblings_are_not_logged() {
    assert_eq!(logged([50, 50, 50], |[first, _]| [first; 2]), 0);
}

#[test]
fn pairs_between_the_same_groups_are_logged() {
    assert_eq!(logged([50, 50, 5], |groups| groups), 5);
    assert_eq!(logged([50, 50, 5], |[first, second]| [second, first]), 5);
}
