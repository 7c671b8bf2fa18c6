//! What is drawn beside the colliders: roads, trails, fragments of what was killed, and a shake.

use bevy::{
    asset::RenderAssetUsages, mesh::PrimitiveTopology, platform::collections::HashMap, prelude::*,
};

use super::{games::Tally, kit::Fill};

const TRAIL_SECONDS: f32 = 0.25;
const FRAGMENTS: u32 = 10;
const FRAGMENT_SECONDS: f32 = 0.5;
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
        .add_systems(Update, (leave_trails, fade, shake))
        .add_systems(Last, draw_ribbons);
}

fn make_ink(mut ink: ResMut<Ink>, mut meshes: ResMut<Assets<Mesh>>) {
    ink.mesh = meshes.add(Circle::new(1.0));
}

impl Ink {
    fn mark(
        &mut self,
        at: Vec2,
        color: Srgba,
        mark: Mark,
        materials: &mut Assets<ColorMaterial>,
    ) -> impl Bundle + use<> {
        let material = self.materials.entry(color.to_u8_array());
        let material = material.or_insert_with(|| materials.add(Color::from(color)));
        let drawn = (Mesh2d(self.mesh.clone()), MeshMaterial2d(material.clone()));
        let at = Transform::from_translation(at.extend(0.9)).with_scale(Vec3::splat(mark.size));
        (drawn, at, mark)
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
            size: 4.0,
            seconds: TRAIL_SECONDS,
            seconds_left: TRAIL_SECONDS,
        };
        let color = fill.0.mix(&Srgba::BLACK, 0.45);
        let at = transform.translation.truncate();
        commands.spawn(ink.mark(at, color, mark, &mut materials));
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
        let at = transform.translation().truncate();
        commands.spawn(ink.mark(at, fill.0, mark, &mut materials));
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
