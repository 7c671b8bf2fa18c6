//! An audit of the games: what has to hold after each step, by positions and shapes alone.

use bevy::{
    ecs::{entity::EntityHashSet, query::QueryData},
    math::Affine2,
    prelude::*,
};
use bevy_thud::{
    geometry::{Shape, separation},
    prelude::*,
};

use super::{
    breakout::Ball,
    games::{Layer, Tally},
};

/// How deep a mover or a ball may be in a wall.
const DEPTH: f32 = 0.03;
/// Half the size of the window: nothing is outside.
const HALF_SIZE: Vec2 = Vec2::new(640.0, 360.0);

/// The findings.
#[derive(Resource, Clone, Debug, Default)]
pub struct Audit {
    pub steps: u32,
    /// How deep a mover was in a wall, at most.
    pub deepest: f32,
    pub faults: Vec<String>,
    killed: EntityHashSet,
}

impl Audit {
    pub fn is_passed(&self) -> bool {
        self.faults.is_empty()
    }
}

pub fn plugin(app: &mut App) {
    let checks = (check_positions, check_walls, check_deaths).chain();
    app.init_resource::<Audit>().add_systems(FixedLast, checks);
}

/// A root with one of the colliders that the games use.
#[derive(QueryData)]
struct Body {
    entity: Entity,
    layer: &'static Layer,
    transform: &'static Transform,
    circle: Option<&'static CircleCollider>,
    rect: Option<&'static RectCollider>,
    polygon: Option<&'static PolygonCollider>,
    tiles: Option<&'static TileCollider>,
}

impl BodyItem<'_, '_> {
    fn shape(&self) -> Option<Shape> {
        let angle = self.transform.rotation.to_euler(EulerRot::ZYX).0;
        let translation = self.transform.translation.truncate();
        let pose = Affine2::from_angle_translation(angle, translation);
        let local = (self.circle.map(Collider::shape))
            .or(self.rect.map(Collider::shape))
            .or(self.polygon.map(Collider::shape))
            .or(self.tiles.map(Collider::shape));
        Some(local?.transformed(&pose))
    }
}

type IsRoot = (Without<ChildOf>, Without<ColliderDisabled>);
/// Movers, and what the games move by casts.
type Moves = Or<(With<Mover>, With<Ball>)>;

fn check_positions(
    transforms: Query<(Entity, &Layer, &Transform), IsRoot>,
    mut audit: ResMut<Audit>,
) {
    audit.steps += 1;
    for (entity, layer, Transform { translation, .. }) in &transforms {
        let is_inside = translation.truncate().abs().cmple(HALF_SIZE).all();
        if !translation.is_finite() || !is_inside {
            let fault = format!(
                "in step {}: {entity}, {layer:?}, is at {translation}",
                audit.steps
            );
            audit.faults.push(fault);
        }
    }
}

fn check_walls(
    bodies: Query<(Body, Has<Ball>), (Moves, IsRoot)>,
    walls: Query<Body, (With<Solid>, Without<Mover>, IsRoot)>,
    table: Res<LayerTable<Layer>>,
    mut audit: ResMut<Audit>,
) {
    for (body, is_ball) in &bodies {
        let Some(shape) = body.shape() else { continue };
        let blocks = |wall: &BodyItem| {
            is_ball
                || table
                    .layers(body.layer)
                    .interacts_with(table.layers(wall.layer))
        };
        for wall in walls.iter().filter(blocks) {
            let depth = wall
                .shape()
                .map_or(0.0, |wall| -separation(&shape, &wall).distance);
            audit.deepest = audit.deepest.max(depth);
            if depth > DEPTH {
                let [a, b] = [body.entity, wall.entity];
                let fault = format!("in step {}: {a} is {depth} deep in {b}", audit.steps);
                audit.faults.push(fault);
            }
        }
    }
}

/// What is killed dies once, and is gone after the step.
fn check_deaths(tally: Res<Tally>, layers: Query<&Layer>, mut audit: ResMut<Audit>) {
    for &entity in &tally.killed {
        if !audit.killed.insert(entity) || layers.contains(entity) {
            let fault = format!("in step {}: {entity} did not die once", audit.steps);
            audit.faults.push(fault);
        }
    }
}
