//! Debug rendering of colliders, contacts and paths.

use bevy::{
    color::palettes::tailwind,
    gizmos::{AppGizmoBuilder, GizmoPlugin, config::GizmoConfigGroup, gizmos::Gizmos},
    math::Isometry2d,
    prelude::*,
};

use crate::{
    aabb::Aabb2d,
    components::{Mover, Walker},
    contacts::Collisions,
    events::{Ground, MoverHit, MoverHits},
    geometry::{Contact, Shape},
    index::{ColliderEntry, ColliderIndex, LayerNames, MoverRelation, Waypoint},
    schedule::CollisionSystems,
};

/// Draws the outline of each collider, colored by its state, contacts, and what blocks movers, in
/// `PostUpdate` of each frame; optionally also the paths of movers, layers and bounding boxes.
///
/// [`CollisionGizmos`] configures it. Disabled colliders are not drawn. Does nothing without Bevy's
/// `GizmoPlugin`.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_thud::{CollisionDebugPlugin, CollisionGizmos, prelude::*};
/// # let mut app = App::new();
/// app.add_plugins((CollisionPlugin::default(), CollisionDebugPlugin));
///
/// fn toggle(mut gizmos: ResMut<GizmoConfigStore>) {
///     gizmos.config_mut::<CollisionGizmos>().0.enabled ^= true;
/// }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionDebugPlugin;

/// The configuration of [`CollisionDebugPlugin`], in Bevy's
/// [`GizmoConfigStore`](bevy::gizmos::config::GizmoConfigStore). A color of `None` draws nothing.
#[derive(GizmoConfigGroup, Clone, Debug, Reflect)]
pub struct CollisionGizmos {
    /// The color of the outlines of solid colliders.
    pub solid: Option<Color>,
    /// The color of the outlines of movers and their descendants, where they are not solid.
    pub mover: Option<Color>,
    /// The color of the outlines of all other colliders.
    pub trigger: Option<Color>,
    /// The color of the outlines of colliders that overlap another one. `None` draws them like
    /// others.
    pub colliding: Option<Color>,
    /// The color of contacts: an arrow from the point along the normal, and a cross at the point.
    pub contact: Option<Color>,
    /// The color of each [`MoverHit`](crate::MoverHit) of the last update: an arrow from its point
    /// along its normal.
    pub hits: Option<Color>,
    /// The color of the floor that a [`Walker`](crate::Walker) stands on: an arrow from its point
    /// along its normal.
    pub floor: Option<Color>,
    /// The color of the wall that a walker touches.
    pub wall: Option<Color>,
    /// The color of the ceiling that a walker touches.
    pub ceiling: Option<Color>,
    /// The color of two lines at the center of a walker: down by its snap distance, and up by its
    /// step height. `None` by default.
    pub walker: Option<Color>,
    /// The length of the arrows of contacts, hits and surfaces, in world units.
    pub normal_length: f32,
    /// The color of the paths of movers and [`Swept`](crate::Swept) colliders in the last update,
    /// along the centers of their shapes. `None` by default.
    pub path: Option<Color>,
    /// The color of the names or numbers of the layers that each collider is in, at its center.
    /// `None` by default. The text is as high as [`normal_length`](Self::normal_length).
    pub layers: Option<Color>,
    /// The color of the bounding boxes of colliders. `None` by default.
    pub aabb: Option<Color>,
    /// Draws only these entities, with their contacts and what blocks them. All if it is empty, as
    /// by default.
    pub only: Vec<Entity>,
}

impl Default for CollisionGizmos {
    fn default() -> Self {
        Self {
            solid: Some(tailwind::SKY_400.into()),
            mover: Some(tailwind::LIME_400.into()),
            trigger: Some(tailwind::AMBER_300.into()),
            colliding: Some(tailwind::RED_500.into()),
            contact: Some(tailwind::FUCHSIA_400.into()),
            hits: Some(tailwind::NEUTRAL_50.into()),
            floor: Some(tailwind::GREEN_400.into()),
            wall: Some(tailwind::ORANGE_400.into()),
            ceiling: Some(tailwind::VIOLET_400.into()),
            walker: None,
            normal_length: 12.0,
            path: None,
            layers: None,
            aabb: None,
            only: Vec::new(),
        }
    }
}

impl Plugin for CollisionDebugPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<CollisionGizmos>();
    }

    /// Adds the systems here, because only now it is known whether there is a `GizmoPlugin`.
    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<GizmoPlugin>() {
            return;
        }
        app.init_gizmo_group::<CollisionGizmos>().add_systems(
            PostUpdate,
            draw_colliders
                .after(CollisionSystems::Report)
                .run_if(resource_exists::<ColliderIndex>),
        );
    }
}

fn draw_colliders(
    mut gizmos: Gizmos<CollisionGizmos>,
    index: Res<ColliderIndex>,
    collisions: Collisions,
    layer_names: Res<LayerNames>,
    movers: Query<(Entity, &MoverHits), With<Mover>>,
    walkers: Query<(Entity, &Walker, &Ground)>,
    mut colliding: Local<Vec<Entity>>,
) {
    if !gizmos.config.enabled {
        return;
    }
    colliding.clear();
    colliding.extend(collisions.iter().flat_map(|pair| [pair.a, pair.b]));
    colliding.sort_unstable();
    let only = gizmos.config_ext.only.clone();
    let is_drawn = |entity: Entity| only.is_empty() || only.contains(&entity);
    for entry in index.iter().filter(|entry| is_drawn(entry.entity)) {
        let collides = colliding.binary_search(&entry.entity).is_ok();
        draw_collider(&mut gizmos, &entry, collides);
        draw_path(&mut gizmos, entry.shape, index.path(&entry));
        draw_layers(&mut gizmos, &entry, *layer_names);
        if let Ok((_, walker, _)) = walkers.get(entry.entity) {
            draw_step_and_snap(&mut gizmos, entry.shape, walker);
        }
    }
    let pairs = collisions.iter();
    for pair in pairs.filter(|pair| is_drawn(pair.a) || is_drawn(pair.b)) {
        draw_contact(&mut gizmos, &pair.contact);
    }
    let hits = movers.iter().filter(|(mover, _)| is_drawn(*mover));
    for hit in hits.flat_map(|(_, hits)| hits.iter()) {
        draw_hit(&mut gizmos, hit);
    }
    for (_, _, ground) in walkers.iter().filter(|(walker, ..)| is_drawn(*walker)) {
        draw_ground(&mut gizmos, ground);
    }
}

fn draw_collider(gizmos: &mut Gizmos<CollisionGizmos>, entry: &ColliderEntry, collides: bool) {
    let config = &gizmos.config_ext;
    let of_kind = if entry.role.is_solid() {
        config.solid
    } else if entry.role.moved_by != MoverRelation::None {
        config.mover
    } else {
        config.trigger
    };
    let outline = config.colliding.filter(|_| collides).or(of_kind);
    let aabb = config.aabb;
    if let Some(color) = outline {
        draw_outline(gizmos, entry.shape, color);
    }
    if let Some(color) = aabb {
        let Aabb2d { min, max } = entry.shape.aabb();
        gizmos.rect_2d(min.midpoint(max), max - min, color);
    }
}

fn draw_outline(gizmos: &mut Gizmos<CollisionGizmos>, shape: &Shape, color: Color) {
    match *shape {
        Shape::Compound { .. } => {
            shape.visit_shapes(&mut |shape| draw_outline(gizmos, shape, color));
        }
        Shape::Circle { center, radius } => {
            gizmos.circle_2d(center, radius, color);
        }
        Shape::Rect {
            center,
            half_size,
            rotation,
        } => {
            let isometry = Isometry2d::new(center, rotation);
            gizmos.rect_2d(isometry, half_size * 2.0, color);
        }
        Shape::Capsule {
            center,
            half_length,
            rotation,
            radius,
        } => {
            let capsule = Capsule2d {
                radius,
                half_length,
            };
            // Bevy's capsule is upright.
            let isometry = Isometry2d::new(center, rotation * Rot2::FRAC_PI_2.inverse());
            gizmos.primitive_2d(&capsule, isometry, color);
        }
        Shape::Polygon {
            ref polygon,
            ref placement,
        } => {
            for outline in polygon.outlines() {
                let around = outline.iter().chain(outline.first());
                gizmos.linestrip_2d(
                    around.map(|vertex| placement.transform_point(*vertex)),
                    color,
                );
            }
        }
        Shape::Tiles {
            ref tiles,
            ref placement,
        } => {
            for [start, end] in tiles.edges() {
                gizmos.line_2d(
                    placement.transform_point(start),
                    placement.transform_point(end),
                    color,
                );
            }
        }
    }
}

fn draw_contact(gizmos: &mut Gizmos<CollisionGizmos>, contact: &Contact) {
    let Some(color) = gizmos.config_ext.contact else {
        return;
    };
    draw_normal(gizmos, contact.point, contact.normal, color);
    let arm = Vec2::splat(gizmos.config_ext.normal_length / 6.0);
    for arm in [arm, arm.perp()] {
        gizmos.line_2d(contact.point - arm, contact.point + arm, color);
    }
}

fn draw_hit(gizmos: &mut Gizmos<CollisionGizmos>, hit: &MoverHit) {
    if let Some(color) = gizmos.config_ext.hits {
        draw_normal(gizmos, hit.point, hit.normal, color);
    }
}

fn draw_ground(gizmos: &mut Gizmos<CollisionGizmos>, ground: &Ground) {
    let config = &gizmos.config_ext;
    let surfaces = [
        (ground.floor(), config.floor),
        (ground.wall(), config.wall),
        (ground.ceiling(), config.ceiling),
    ];
    for (surface, color) in surfaces {
        if let (Some(surface), Some(color)) = (surface, color) {
            draw_normal(gizmos, surface.point, surface.normal, color);
        }
    }
}

/// Draws how far down a walker follows the floor, and how far up it steps.
fn draw_step_and_snap(gizmos: &mut Gizmos<CollisionGizmos>, shape: &Shape, walker: &Walker) {
    if let Some(color) = gizmos.config_ext.walker {
        let center = shape.center();
        let down = center - walker.up * walker.valid_snap_distance();
        gizmos.line_2d(center, down, color);
        gizmos.line_2d(
            center,
            center + walker.up * walker.valid_step_height(),
            color,
        );
    }
}

fn draw_normal(gizmos: &mut Gizmos<CollisionGizmos>, point: Vec2, normal: Vec2, color: Color) {
    let tip = point + normal * gizmos.config_ext.normal_length;
    gizmos.arrow_2d(point, tip, color);
}

fn draw_path(gizmos: &mut Gizmos<CollisionGizmos>, shape: &Shape, path: &[Waypoint]) {
    if let Some(color) = gizmos.config_ext.path
        && !path.is_empty()
    {
        let end = shape.center();
        gizmos.linestrip_2d(path.iter().map(|waypoint| end + waypoint.offset), color);
    }
}

fn draw_layers(gizmos: &mut Gizmos<CollisionGizmos>, entry: &ColliderEntry, names: LayerNames) {
    if let Some(color) = gizmos.config_ext.layers {
        let text = names.list(entry.role.layers.memberships);
        let height = gizmos.config_ext.normal_length;
        gizmos.text_2d(entry.shape.center(), &text, height, Vec2::ZERO, color);
    }
}
