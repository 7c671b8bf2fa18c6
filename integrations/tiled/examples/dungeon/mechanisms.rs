//! Levers that open doors, and slabs that slide along polylines.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_tiled::{TiledLookup, TiledMapReady, TiledObject, TiledProperties};

use super::Hero;

/// Of slabs.
const SLAB_SPEED: f32 = 30.0;

/// The door that a lever opens.
#[derive(Component)]
pub struct Opens(Entity);

/// Moves along a path and back.
#[derive(Component)]
struct Slab {
    /// Where its `Transform` goes.
    path: Vec<Vec2>,
    /// The index of the point that it moves to.
    next: usize,
}

pub fn plugin(app: &mut App) {
    app.add_observer(connect)
        .add_systems(Update, (open_doors, slide));
}

/// Finds the objects that properties name, which all are there now.
fn connect(
    ready: On<TiledMapReady>,
    lookup: TiledLookup,
    objects: Query<(&TiledObject, &TiledProperties, &Transform)>,
    mut commands: Commands,
) -> Result {
    for lever in lookup.objects(ready.entity, "Lever") {
        let door = objects.get(lever)?.1.get("door")?;
        if let Some(door) = lookup.referenced(lever, door) {
            commands.entity(lever).insert(Opens(door));
        }
    }
    for slab in lookup.objects(ready.entity, "Slab") {
        let (_, properties, transform) = objects.get(slab)?;
        let path = lookup.referenced(slab, properties.get("path")?);
        let Some(path) = path else { continue };
        // From where it stands: the points are in world space, its `Transform` is in its layer.
        let points = &objects.get(path)?.0.points;
        let start = transform.translation.truncate();
        let path = points.iter().map(|point| start + *point - points[0]);
        commands.entity(slab).insert(Slab {
            path: path.collect(),
            next: 0,
        });
    }
    Ok(())
}

/// Opens the doors of levers that the hero touches, until the map is loaded again.
fn open_doors(
    mut levers: Hits<With<Hero>, With<Opens>>,
    opens: Query<&Opens>,
    mut commands: Commands,
) {
    for hit in levers.read() {
        if let Ok(Opens(door)) = opens.get(hit.b) {
            commands.entity(*door).try_despawn();
        }
    }
}

fn slide(time: Res<Time>, mut slabs: Query<(&mut Slab, &mut Transform)>) {
    for (mut slab, mut transform) in &mut slabs {
        let Some(target) = slab.path.get(slab.next).copied() else {
            continue;
        };
        let position = transform.translation.truncate();
        let moved = position.move_towards(target, SLAB_SPEED * time.delta_secs());
        transform.translation = moved.extend(transform.translation.z);
        if moved == target {
            slab.next += 1;
            if slab.next == slab.path.len() {
                slab.path.reverse();
                slab.next = 1.min(slab.path.len() - 1);
            }
        }
    }
}
