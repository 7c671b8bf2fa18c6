//! The picking plugin, its settings, and the system that finds the colliders under pointers.

use bevy::{
    camera::{
        Camera, Projection,
        visibility::{InheritedVisibility, RenderLayers},
    },
    ecs::query::QueryData,
    picking::{
        Pickable, PickingSystems,
        backend::{HitData, PointerHits, ray::RayMap},
    },
    prelude::*,
};

use super::pointer_ray::PointerRay;
use crate::{components::EntityOrder, geometry::contains_point, index::ColliderIndex};

/// A backend of Bevy's picking, with which pointers hover, click and drag colliders.
///
/// A pointer is over a collider where a camera shows the inside of its shape, on the plane at the z
/// of its [`GlobalTransform`], with any projection, viewport and render target. The colliders are
/// those of the last update. As with Bevy's own backends,
///
/// - of two colliders, the one closer to the camera is in front, usually the one with the greater
///   z. At equal depth it is the one with the least entity: set different z where it matters;
/// - every collider can be picked, and blocks those behind it. A [`Pickable`] on its entity changes
///   that: [`Pickable::IGNORE`] excludes it, and [`CollisionPickingSettings::require_markers`]
///   excludes entities without it;
/// - entities that are hidden by their [`Visibility`], or on none of the camera's [`RenderLayers`],
///   are not picked. Colliders without these components are, even though they are invisible;
/// - events bubble to the parents.
///
/// The position of a hit is in world space, and its depth is the distance from the camera's near
/// plane, in world units.
///
/// Requires Bevy's `PickingPlugin` and `InteractionPlugin`, which are among the `DefaultPlugins`.
/// Does nothing without them.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_thud::{CollisionPickingPlugin, prelude::*};
///
/// # let mut app = App::new();
/// app.add_plugins((CollisionPlugin::default(), CollisionPickingPlugin));
///
/// fn spawn(mut commands: Commands) {
///     commands
///         .spawn(CircleCollider::new(16.0))
///         .observe(|click: On<Pointer<Click>>, mut commands: Commands| {
///             commands.entity(click.entity).despawn();
///         });
/// }
/// # app.add_systems(Startup, spawn);
/// ```
///
/// [`Visibility`]: bevy::camera::visibility::Visibility
#[derive(Clone, Copy, Debug, Default)]
pub struct CollisionPickingPlugin;

/// Which cameras and entities [`CollisionPickingPlugin`] considers. Changes take effect
/// immediately.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
pub struct CollisionPickingSettings {
    /// Whether to consider only cameras with [`CollisionPickingCamera`] and entities with
    /// [`Pickable`]. False by default.
    pub require_markers: bool,
}

/// Marks a camera for picking colliders. Only needed if
/// [`CollisionPickingSettings::require_markers`] is set.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct CollisionPickingCamera;

impl Plugin for CollisionPickingPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<CollisionPickingSettings>()
            .register_type::<CollisionPickingCamera>()
            .init_resource::<CollisionPickingSettings>()
            .add_systems(
                PreUpdate,
                pick_colliders
                    .in_set(PickingSystems::Backend)
                    .run_if(resource_exists::<ColliderIndex>)
                    .run_if(resource_exists::<RayMap>),
            );
    }
}

/// The components of a camera.
#[derive(QueryData)]
struct PickingCamera {
    camera: &'static Camera,
    projection: &'static Projection,
    transform: &'static GlobalTransform,
    layers: Option<&'static RenderLayers>,
    is_marked: Has<CollisionPickingCamera>,
}

/// The components of a collider's entity.
#[derive(QueryData)]
struct Target {
    transform: &'static GlobalTransform,
    pickable: Option<&'static Pickable>,
    visibility: Option<&'static InheritedVisibility>,
    layers: Option<&'static RenderLayers>,
}

fn pick_colliders(
    settings: Res<CollisionPickingSettings>,
    index: Res<ColliderIndex>,
    rays: Res<RayMap>,
    cameras: Query<PickingCamera>,
    targets: Query<Target>,
    mut hits: MessageWriter<PointerHits>,
) {
    for (id, &ray) in rays.iter() {
        let Ok(camera) = cameras.get(id.camera) else {
            continue;
        };
        if settings.require_markers && !camera.is_marked {
            continue;
        }
        let pointer_ray = PointerRay::new(ray, camera.projection, camera.transform);
        let mut picks = Vec::new();
        index.visit_along(&pointer_ray.sweep(), |entry, _| {
            if let Ok(target) = targets.get(entry.entity)
                && target.can_be_picked(&camera, *settings)
                && let Some((depth, point)) =
                    pointer_ray.hit_plane_z(target.transform.translation().z)
                && contains_point(entry.shape, point.truncate())
            {
                let hit = HitData::new(id.camera, depth, Some(point), Some(Vec3::Z));
                picks.push((entry.order(), hit));
            }
        });
        if !picks.is_empty() {
            sort_picks(&mut picks);
            let picks = picks.into_iter().map(|(order, hit)| (order.entity, hit));
            let camera_order = camera.camera.order as f32;
            hits.write(PointerHits::new(id.pointer, picks.collect(), camera_order));
        }
    }
}

impl TargetItem<'_, '_> {
    fn can_be_picked(
        &self,
        camera: &PickingCameraItem,
        settings: CollisionPickingSettings,
    ) -> bool {
        let is_excluded = match self.pickable {
            Some(pickable) => *pickable == Pickable::IGNORE,
            None => settings.require_markers,
        };
        let is_visible = self.visibility.is_none_or(|visibility| visibility.get());
        let layers = self.layers.unwrap_or_default();
        !is_excluded && is_visible && layers.intersects(camera.layers.unwrap_or_default())
    }
}

/// Sorts picks from front to back. Bevy sorts them by depth again, with a stable sort.
fn sort_picks(picks: &mut [(EntityOrder, HitData)]) {
    picks.sort_unstable_by(|(a, a_hit), (b, b_hit)| {
        (a_hit.depth.total_cmp(&b_hit.depth)).then_with(|| a.cmp(b))
    });
}
