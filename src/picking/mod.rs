//! Which colliders are under a pointer, for Bevy's picking.

mod pointer_ray;

use bevy::{
    camera::{
        Camera, Projection,
        visibility::{InheritedVisibility, RenderLayers},
    },
    ecs::query::QueryData,
    picking::{
        Pickable, PickingSystems,
        backend::{
            HitData, PointerHits,
            ray::{RayId, RayMap},
        },
    },
    prelude::*,
};

use self::pointer_ray::PointerRay;
use crate::{geometry::contains_point, index::ColliderIndex};

/// Lets pointers hover, click and drag colliders: a backend of Bevy's picking.
///
/// A pointer is over a collider where a camera shows the inside of its shape, at the height (z) of its [`GlobalTransform`]: with any
/// projection, viewport and target. The colliders are those of the last run. As with Bevy's own backends,
///
/// - of two colliders the one that is nearer to the camera is in front: mostly the higher one. At the same depth it is the one with the
///   least entity, so give them different heights where it matters;
/// - every collider takes part, and blocks what is behind; a [`Pickable`] on its entity changes that, [`Pickable::IGNORE`] leaves it out,
///   and so does [`CollisionPickingSettings::require_markers`];
/// - what is hidden by its [`Visibility`], or on none of the camera's [`RenderLayers`], is not picked. Without these components a collider
///   is, though nobody sees it;
/// - events bubble to the parents.
///
/// The position of a hit is in the world, its depth counts from the camera's near plane, both in world units.
///
/// It needs Bevy's `PickingPlugin` and `InteractionPlugin`, which are among the `DefaultPlugins`. Without them it idles.
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

/// Which cameras and entities [`CollisionPickingPlugin`] is for. Changing it takes effect at once.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource, Clone, Debug, Default, PartialEq)]
pub struct CollisionPickingSettings {
    /// Whether only cameras with [`CollisionPickingCamera`] count, and only entities with [`Pickable`]. False by default: all do.
    pub require_markers: bool,
}

/// On a camera: colliders can be picked through it. Only needed where [`CollisionPickingSettings::require_markers`] is set.
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

/// What is asked of a camera.
#[derive(QueryData)]
struct PickingCamera {
    camera: &'static Camera,
    projection: &'static Projection,
    transform: &'static GlobalTransform,
    layers: Option<&'static RenderLayers>,
    is_marked: Has<CollisionPickingCamera>,
}

/// What is asked of the entity of a collider.
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
    for (
        &RayId {
            camera: camera_entity,
            pointer,
        },
        &ray,
    ) in rays.iter()
    {
        let Ok(camera) = cameras.get(camera_entity) else {
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
                let hit = HitData::new(camera_entity, depth, Some(point), Some(Vec3::Z));
                picks.push((entry.entity, hit));
            }
        });
        if !picks.is_empty() {
            sort_picks(&mut picks);
            hits.write(PointerHits::new(pointer, picks, camera.camera.order as f32));
        }
    }
}

impl TargetItem<'_, '_> {
    fn can_be_picked(
        &self,
        camera: &PickingCameraItem,
        settings: CollisionPickingSettings,
    ) -> bool {
        let is_left_out = match self.pickable {
            Some(pickable) => *pickable == Pickable::IGNORE,
            None => settings.require_markers,
        };
        let is_shown = self.visibility.is_none_or(|visibility| visibility.get());
        let layers = self.layers.unwrap_or_default();
        !is_left_out && is_shown && layers.intersects(camera.layers.unwrap_or_default())
    }
}

/// From the front to the back. Bevy sorts them by their depth again, and leaves those at the same depth as they are.
fn sort_picks(picks: &mut [(Entity, HitData)]) {
    picks.sort_unstable_by(|(a, a_hit), (b, b_hit)| {
        (a_hit.depth.total_cmp(&b_hit.depth)).then_with(|| a.cmp(b))
    });
}
