//! This crate's spatial queries.

use bevy::{app::TaskPoolPlugin, ecs::system::SystemState, prelude::*, time::TimePlugin};
use bevy_thud::{geometry::Shape, prelude::*};

use super::scene::{FieldBox, FieldCast, FieldQuery};

/// Resting colliders in an app.
pub struct Field {
    app: App,
    query: SystemState<SpatialQuery<'static, 'static>>,
}

impl Field {
    pub fn new(boxes: &[FieldBox]) -> Self {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin))
            .add_plugins(CollisionPlugin::default());
        for FieldBox {
            center,
            half_size,
            layer,
        } in boxes
        {
            let size = 2.0 * half_size;
            app.world_mut().spawn((
                RectCollider::new(size.x, size.y),
                CollisionLayers::new(LayerMask::layer(*layer), LayerMask::ALL),
                Transform::from_translation(center.extend(0.0)),
            ));
        }
        app.finish();
        app.cleanup();
        // Colliders at rest move to the index of those at rest.
        for _ in 0..20 {
            app.update();
        }
        let query = SystemState::new(app.world_mut());
        Self { app, query }
    }

    /// Makes all queries of a kind, and returns the number of hits.
    pub fn query(&mut self, query: FieldQuery, casts: &[FieldCast]) -> u64 {
        let spatial = self
            .query
            .get(self.app.world())
            .expect("the plugin is there");
        let filter = SpatialQueryFilter::only(LayerMask::layer(0));
        let mut hits = 0;
        for &FieldCast {
            origin,
            displacement,
        } in casts
        {
            hits += match query {
                FieldQuery::Ray => {
                    let Ok((direction, length)) = Dir2::new_and_length(displacement) else {
                        continue;
                    };
                    let ray = Ray2d::new(origin, direction);
                    spatial.cast_ray(ray, length, &filter).is_some().into()
                }
                FieldQuery::CircleCast { radius } => {
                    let circle = Shape::circle(origin, radius);
                    let hit = spatial.cast_shape(&circle, displacement, &filter);
                    hit.is_some().into()
                }
                FieldQuery::Overlap { radius } => {
                    let square = Shape::rect(origin, Vec2::splat(2.0 * radius), Rot2::IDENTITY);
                    spatial.shape_intersections(&square, &filter).len() as u64
                }
            };
        }
        hits
    }
}
