//! What is drawn beside the colliders: roads, trails, eyes, fragments of what was killed, a shake.

use bevy::{
    asset::RenderAssetUsages, color::palettes::tailwind, mesh::PrimitiveTopology,
    platform::collections::HashMap, prelude::*,
};
use bevy_thud::prelude::*;

use super::{
    brawler::Fighter,
    games::{Layer, Tally},
    kit::Fill,
};

const TRAIL_SECONDS: f32 = 0.25;
const FRAGMENTS: u32 = 10;
const FRAGMENT_SECONDS: f32 = 0.5;
const DOTS: UVec2 = UVec2::new(30, 16);
const DOT_SPACING: f32 = 40.0;
const SHAKE_SECONDS: f32 = 0.25;

/// A line of this width through these points.
#[derive(Component)]
#[require(Transform)]
pub struct Ribbon {
    points: Vec<Vec2>,
    width: f32,
    color: Srgba,
}

/// Leaves a trail.
#[derive(Component)]
pub struct Trail;

/// Shrinks and goes.
#[derive(Component)]
struct Mark {
    velocity: Vec2,
    size: f32,
    seconds: f32,
    seconds_left: f32,
}

/// An eye of its parent: to the left with 1, to the right with -1.
#[derive(Component)]
struct Eye(f32);

/// The mesh of all marks, and their materials by color.
#[derive(Resource, Default)]
struct Ink {
    mesh: Handle<Mesh>,
    materials: HashMap<[u8; 4], Handle<ColorMaterial>>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Ink>()
        .add_observer(shatter)
        .add_systems(Startup, make_ink)
        .add_systems(FixedLast, sort_fighters)
        .add_systems(Update, (leave_trails, fade, shake, roll_eyes))
        .add_systems(Last, (draw_ribbons, open_eyes));
}

/// And dots on the floor.
fn make_ink(
    mut ink: ResMut<Ink>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    ink.mesh = meshes.add(Circle::new(1.0));
    for index in 0..DOTS.x * DOTS.y {
        let cell = Vec2::new((index % DOTS.x) as f32, (index / DOTS.x) as f32);
        let position = (cell - (DOTS - 1).as_vec2() / 2.0) * DOT_SPACING;
        let at = Transform::from_translation(position.extend(-2.0)).with_scale(Vec3::splat(1.5));
        commands.spawn((at, ink.drawn(tailwind::SLATE_800, &mut materials)));
    }
}

impl Ink {
    fn drawn(
        &mut self,
        color: Srgba,
        materials: &mut Assets<ColorMaterial>,
    ) -> impl Bundle + use<> {
        let material = self.materials.entry(color.to_u8_array());
        let material = material.or_insert_with(|| materials.add(Color::from(color)));
        (Mesh2d(self.mesh.clone()), MeshMaterial2d(material.clone()))
    }
}

fn leave_trails(
    trailing: Query<(&Transform, &Fill), With<Trail>>,
    time: Res<Time>,
    mut ink: ResMut<Ink>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (transform, fill) in trailing.iter().filter(|_| !time.delta().is_zero()) {
        let mark = Mark {
            velocity: Vec2::ZERO,
            size: 5.0,
            seconds: TRAIL_SECONDS,
            seconds_left: TRAIL_SECONDS,
        };
        let color = fill.0.mix(&tailwind::SLATE_900, 0.5);
        let at = Transform::from_translation(transform.translation - Vec3::Z * 0.3);
        commands.spawn((mark, at, ink.drawn(color, &mut materials)));
    }
}

/// What was killed flies apart, and so do its children.
fn shatter(
    removed: On<Remove, Fill>,
    tally: Res<Tally>,
    filled: Query<(&Fill, &GlobalTransform, Option<&ChildOf>)>,
    mut ink: ResMut<Ink>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    let Ok((fill, transform, child_of)) = filled.get(removed.entity) else {
        return;
    };
    let root = child_of.map_or(removed.entity, ChildOf::parent);
    if !tally.killed.contains(&root) {
        return;
    }
    for fragment in 0..FRAGMENTS {
        // Not random numbers: those are for the rules.
        let angle = 2.4 * fragment as f32;
        let mark = Mark {
            velocity: Vec2::from_angle(angle) * (60.0 + 17.0 * fragment as f32),
            size: 6.0,
            seconds: FRAGMENT_SECONDS,
            seconds_left: FRAGMENT_SECONDS,
        };
        let at = Transform::from_translation(transform.translation().with_z(3.0));
        commands.spawn((mark, at, ink.drawn(fill.0, &mut materials)));
    }
}

fn fade(
    time: Res<Time>,
    mut marks: Query<(Entity, &mut Mark, &mut Transform)>,
    mut commands: Commands,
) {
    for (entity, mut mark, mut transform) in &mut marks {
        mark.seconds_left -= time.delta_secs();
        let fraction = mark.seconds_left / mark.seconds;
        transform.translation += (mark.velocity * time.delta_secs()).extend(0.0);
        transform.scale = Vec3::splat(mark.size * fraction.max(0.0));
        if fraction <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}

/// Who is farther down is drawn before the others.
fn sort_fighters(mut fighters: Query<&mut Transform, With<Fighter>>) {
    for mut at in &mut fighters {
        at.translation.z = 1.0 - at.translation.y * 0.001;
    }
}

type IsAlive = (Added<Fill>, With<Mover>, Without<Fighter>);

/// Round heroes and foes have eyes.
fn open_eyes(
    bodies: Query<(Entity, &Layer, &CircleCollider), IsAlive>,
    mut ink: ResMut<Ink>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, layer, circle) in &bodies {
        if matches!(layer, Layer::Hero | Layer::Foe) {
            for side in [1.0, -1.0] {
                let scale = Vec3::splat(circle.radius * 0.22);
                let eye = ink.drawn(tailwind::SLATE_950, &mut materials);
                let at = Transform::from_scale(scale);
                commands.entity(entity).with_child((Eye(side), eye, at));
            }
        }
    }
}

/// Eyes look where their body goes.
fn roll_eyes(
    bodies: Query<(&Transform, &Mover, &CircleCollider), Without<Eye>>,
    mut eyes: Query<(&Eye, &ChildOf, &mut Transform)>,
) {
    for (eye, child_of, mut at) in &mut eyes {
        if let Ok((body, mover, circle)) = bodies.get(child_of.parent()) {
            let ahead = mover.velocity.normalize_or(Vec2::NEG_Y) * 0.35;
            let offset = (ahead + ahead.perp() * eye.0) * circle.radius;
            at.translation = body.rotation.inverse() * offset.extend(0.1);
        }
    }
}

/// The camera shakes when a life is lost.
fn shake(
    time: Res<Time>,
    tally: Res<Tally>,
    mut camera: Single<&mut Transform, With<Camera2d>>,
    mut lives: Local<u32>,
    mut seconds: Local<f32>,
) {
    if tally.lives < std::mem::replace(&mut *lives, tally.lives) {
        *seconds = SHAKE_SECONDS;
    }
    *seconds = (*seconds - time.delta_secs()).max(0.0);
    let strength = 8.0 * *seconds / SHAKE_SECONDS;
    let angle = 60.0 * time.elapsed_secs();
    camera.translation = (Vec2::from_angle(angle) * strength).extend(camera.translation.z);
}

fn draw_ribbons(
    ribbons: Query<(Entity, &Ribbon), Added<Ribbon>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
    mut commands: Commands,
) {
    for (entity, ribbon) in &ribbons {
        let mesh = meshes.add(ribbon.mesh());
        let material = materials.add(Color::from(ribbon.color));
        commands
            .entity(entity)
            .try_insert((Mesh2d(mesh), MeshMaterial2d(material)));
    }
}

impl Ribbon {
    pub fn new(points: Vec<Vec2>, width: f32, color: Srgba) -> Self {
        Self {
            points,
            width,
            color,
        }
    }

    /// Leads back to its first point.
    pub fn closed(mut points: Vec<Vec2>, width: f32, color: Srgba) -> Self {
        points.extend_from_within(..2);
        Self::new(points, width, color)
    }

    fn mesh(&self) -> Mesh {
        let points = &self.points;
        let last = points.len() - 1;
        let vertices = (0..=last).flat_map(|at| {
            let point = points[at];
            let [before, after] = [points[at.saturating_sub(1)], points[(at + 1).min(last)]];
            let [a, b] = [point - before, after - point].map(|it| it.normalize_or_zero().perp());
            // The corner of a miter joint.
            let offset = (a + b) / (1.0 + a.dot(b)) * self.width / 2.0;
            [point + offset, point - offset].map(|vertex| vertex.extend(-1.0).to_array())
        });
        Mesh::new(
            PrimitiveTopology::TriangleStrip,
            RenderAssetUsages::default(),
        )
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, vertices.collect::<Vec<_>>())
    }
}
