//! An audit of the plugin: looks at positions and shapes only, and not at `Ground`.

use std::collections::BTreeMap;

use bevy::{ecs::query::QueryData, math::Affine2, prelude::*};
use bevy_thud::{geometry::separation, prelude::*};

use super::super::game::{
    hero::{Hero, Intent, LENGTH},
    machines::Machine,
};

/// How deep the hero may be in a wall.
const DEPTH: f32 = 0.02;
/// How far above a floor the hero may be while it stands or walks.
const TOUCHING: f32 = 0.1;
/// How far it may drift on a platform while it stands still.
const DRIFT: f32 = 0.05;
/// After this many steps without input the hero stands still.
const SETTLING: u32 = 20;
/// Where the ground is slopes and stairs, in x. Only the lower part of the level has them.
const UNEVEN: [[f32; 2]; 2] = [[112.0, 368.0], [432.0, 520.0]];
const UNEVEN_BELOW: f32 = 200.0;
/// What the hero has to ride on, and for how many steps at least.
const RIDES: [Machine; 4] = [
    Machine::Ferry,
    Machine::Lift,
    Machine::Wheel,
    Machine::Seesaw,
];
const LEAST_RIDE: u32 = 30;

/// The findings.
#[derive(Resource, Default, Clone, Debug)]
pub struct Audit {
    pub steps: u32,
    /// In how many steps the hero was in a wall, and how deep.
    pub breaches: u32,
    pub deepest: f32,
    /// In how many steps it walked on slopes and stairs, and in how many of them off the ground.
    pub slope_steps: u32,
    pub lost_ground: u32,
    pub highest: f32,
    pub rides: BTreeMap<&'static str, Ride>,
    /// What the last steps were like.
    leaps: u32,
    is_in_leap: bool,
    still_steps: u32,
    ride: Option<(Entity, Vec2)>,
}

/// How the hero rode on a machine.
#[derive(Default, Clone, Debug)]
pub struct Ride {
    pub steps: u32,
    /// How far it was from where it began to stand still, relative to the machine.
    pub drift: f32,
}

impl Audit {
    pub fn is_passed(&self) -> bool {
        let is_steady = |ride: &Ride| ride.steps >= LEAST_RIDE && ride.drift < DRIFT;
        let mut rides = RIDES.map(name).into_iter();
        self.breaches == 0
            && self.lost_ground == 0
            && self.slope_steps > 0
            && rides.all(|name| self.rides.get(name).is_some_and(is_steady))
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Audit>().add_systems(
        FixedLast,
        (look_into_walls, look_at_slopes, look_at_rides).chain(),
    );
}

#[derive(QueryData)]
struct Wall {
    entity: Entity,
    transform: &'static Transform,
    circle: Option<&'static CircleCollider>,
    rect: Option<&'static RectCollider>,
    tiles: Option<&'static TileCollider>,
    machine: Option<&'static Machine>,
    is_one_way: Has<OneWay>,
}

impl WallItem<'_, '_> {
    fn pose(&self) -> Affine2 {
        let angle = self.transform.rotation.to_euler(EulerRot::ZYX).0;
        Affine2::from_angle_translation(angle, self.transform.translation.truncate())
    }

    /// The distance of the hero, negative if it is inside.
    fn distance(&self, hero: &Shape) -> f32 {
        let shapes = [
            self.circle.map(Collider::shape),
            self.rect.map(Collider::shape),
            self.tiles.map(Collider::shape),
        ];
        let pose = self.pose();
        let distances = (shapes.into_iter().flatten())
            .map(|shape| separation(hero, &shape.transformed(&pose)).distance);
        distances.fold(f32::INFINITY, f32::min)
    }
}

type HeroData = (
    &'static Hero,
    &'static Intent,
    &'static Transform,
    &'static CapsuleCollider,
);

fn shape_of((_, _, transform, capsule): &(&Hero, &Intent, &Transform, &CapsuleCollider)) -> Shape {
    capsule.shape().translated(transform.translation.truncate())
}

fn look_into_walls(
    hero: Single<HeroData>,
    walls: Query<Wall, With<Solid>>,
    mut audit: ResMut<Audit>,
) {
    let hero = shape_of(&hero);
    let blocking = walls.iter().filter(|wall| !wall.is_one_way);
    let distance = blocking
        .map(|wall| wall.distance(&hero))
        .fold(0.0, f32::min);
    audit.steps += 1;
    audit.breaches += u32::from(distance < -DEPTH);
    audit.deepest = audit.deepest.max(-distance);
}

/// On slopes and stairs the hero is off the ground only after a jump.
fn look_at_slopes(
    hero: Single<HeroData>,
    walls: Query<Wall, With<Solid>>,
    mut audit: ResMut<Audit>,
) {
    let (data, position) = (hero.0, hero.2.translation);
    let shape = shape_of(&hero);
    let distances = walls.iter().map(|wall| wall.distance(&shape));
    let distance = distances.fold(f32::INFINITY, f32::min);
    if audit.leaps != data.leaps {
        audit.leaps = data.leaps;
        audit.is_in_leap = true;
    } else if distance <= TOUCHING {
        audit.is_in_leap = false;
    }
    let is_uneven = (UNEVEN.iter()).any(|[from, to]| (*from..*to).contains(&position.x));
    if is_uneven && position.y < UNEVEN_BELOW && !audit.is_in_leap {
        audit.slope_steps += 1;
        audit.lost_ground += u32::from(distance > TOUCHING);
        audit.highest = audit.highest.max(distance);
    }
}

/// A hero without input stays where it is on its machine. Of its body, the center of the capsule's
/// lower end is what a machine that turns carries.
fn look_at_rides(
    hero: Single<HeroData>,
    walls: Query<Wall, With<Solid>>,
    mut audit: ResMut<Audit>,
) {
    let (data, intent, transform, _) = *hero;
    let is_still = intent.walk == 0.0 && data.leaps == audit.leaps;
    audit.still_steps = if is_still { audit.still_steps + 1 } else { 0 };
    let shape = shape_of(&hero);
    let mut touched = (walls.iter()).filter(|wall| wall.distance(&shape) <= TOUCHING);
    let (Some(wall), None) = (touched.next(), touched.next()) else {
        audit.ride = None;
        return;
    };
    let machine = wall.machine.filter(|machine| RIDES.contains(machine));
    let (Some(&machine), true) = (machine, audit.still_steps > SETTLING) else {
        audit.ride = None;
        return;
    };
    let foot = transform.translation.truncate() - Vec2::Y * LENGTH / 2.0;
    let local = wall.pose().inverse().transform_point2(foot);
    match audit.ride {
        Some((entity, start)) if entity == wall.entity => {
            let ride = audit.rides.entry(name(machine)).or_default();
            ride.steps += 1;
            ride.drift = ride.drift.max(local.distance(start));
        }
        _ => audit.ride = Some((wall.entity, local)),
    }
}

fn name(machine: Machine) -> &'static str {
    match machine {
        Machine::Ferry => "ferry",
        Machine::Lift => "lift",
        Machine::Crusher => "crusher",
        Machine::Seesaw => "seesaw",
        Machine::Wheel => "wheel",
        Machine::Conveyor => "conveyor",
    }
}
