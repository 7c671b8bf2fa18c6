//! A modified map replaces its levels.

use bevy::{platform::collections::HashSet, prelude::*};
use bevy_thud::prelude::*;

use crate::{
    LdtkContents, LdtkEntity, LdtkError, LdtkGrid, LdtkGridContents, LdtkLevel, LdtkMap,
    LdtkPersistent, LdtkRules, spawn,
};

/// What [`LdtkMap::reload`] did.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct LdtkReloaded {
    /// The entities of the levels that were replaced.
    pub levels: Vec<Entity>,
    /// The iids of the levels that are not in the map anymore, and were despawned.
    pub removed: Vec<String>,
    /// The movers that are inside of a wall of the map now. The next update pushes them out, or
    /// reports them as [`Crushed`].
    pub stuck: Vec<LdtkStuck>,
    /// What is wrong with the map, the rules and these levels.
    pub errors: Vec<LdtkError>,
}

/// A mover that is inside of a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LdtkStuck {
    /// The mover.
    pub mover: Entity,
    /// The wall.
    pub wall: Entity,
}

impl LdtkMap {
    /// Replaces all levels of an earlier version of this map that are in the world: the grids and
    /// entities in them, whoever spawned them. Levels that are not in the map anymore are
    /// despawned, and new ones are not spawned.
    ///
    /// The entities of levels stay, and those of grids whose layers stay, with all that the game
    /// gave them: pairs, floors and other references to them go on, and starts and ends of
    /// collisions are reported for what changed. Entities of the map are spawned anew, unless they
    /// are [`LdtkPersistent`]. Those that are gone from the map stay if they are.
    ///
    /// ```
    /// # use bevy::prelude::*;
    /// # use bevy_thud_ldtk::{LdtkMap, LdtkRules};
    /// fn load_again(text: &str, rules: &LdtkRules, world: &mut World) -> Result {
    ///     let reloaded = LdtkMap::from_json(text)?.reload(rules, world);
    ///     for stuck in reloaded.stuck {
    ///         warn!("{} is inside of a wall", stuck.mover);
    ///     }
    ///     Ok(())
    /// }
    /// # let _ = load_again;
    /// ```
    pub fn reload(&self, rules: &LdtkRules, world: &mut World) -> LdtkReloaded {
        let mut levels = world.query::<(Entity, &LdtkLevel)>();
        let levels: Vec<(Entity, String)> = levels
            .iter(world)
            .filter(|(_, level)| level.project == self.iid)
            .map(|(entity, level)| (entity, level.iid.clone()))
            .collect();
        self.replace_levels(levels, rules, world)
    }

    /// Replaces these levels, which have these iids.
    pub(crate) fn replace_levels(
        &self,
        levels: Vec<(Entity, String)>,
        rules: &LdtkRules,
        world: &mut World,
    ) -> LdtkReloaded {
        let mut done = LdtkReloaded {
            errors: self.errors.clone(),
            ..default()
        };
        done.errors.extend(self.errors_of(rules));
        for (entity, iid) in levels {
            let mut known = self.levels.iter();
            let Some(level) = known.find(|level| level.level.iid == iid) else {
                world.despawn(entity);
                done.removed.push(iid);
                continue;
            };
            match self.contents_of(level, rules) {
                Ok(contents) => {
                    done.errors.extend(contents.errors.iter().cloned());
                    replace(entity, contents, world);
                    done.levels.push(entity);
                }
                // The level stays as it is.
                Err(error) => done.errors.push(error),
            }
        }
        spawn::log(&done.errors);
        done.stuck = stuck_in(&done.levels, world);
        done
    }
}

fn replace(level: Entity, contents: LdtkContents, world: &mut World) {
    let children: Vec<Entity> = match world.get::<Children>(level) {
        Some(children) => children.to_vec(),
        None => Vec::new(),
    };
    for child in &children {
        let is_replaced = world.get::<LdtkEntity>(*child).is_some();
        if is_replaced && world.get::<LdtkPersistent>(*child).is_none() {
            world.despawn(*child);
        }
    }
    let old = world.get::<LdtkLevel>(level);
    let has_moved = old.is_some_and(|old| {
        old.top_left != contents.level.top_left || old.size != contents.level.size
    });
    let mut entity = world.entity_mut(level);
    if has_moved && let Some(mut transform) = entity.get_mut::<Transform>() {
        transform.translation = contents.origin.extend(transform.translation.z);
    }
    entity.insert((contents.fields, contents.level));
    replace_grids(level, contents.grids, world);
    spawn::spawn_entities(contents.entities, level, world);
}

/// Makes these the grids in a level.
pub(crate) fn replace_grids(level: Entity, grids: Vec<LdtkGridContents>, world: &mut World) {
    let children = world.get::<Children>(level);
    let mut old: Vec<(Entity, LdtkGrid)> = (children.into_iter().flatten())
        .filter_map(|child| Some((*child, world.get::<LdtkGrid>(*child)?.clone())))
        .collect();
    for grid in grids {
        let same = old.iter().position(|(_, old)| is_same(old, &grid));
        match same.map(|index| old.swap_remove(index).0) {
            Some(entity) => spawn::insert_grid(grid, &mut world.entity_mut(entity)),
            None => {
                spawn::spawn_grid(grid, level, world);
            }
        }
    }
    for (entity, _) in old {
        world.despawn(entity);
    }
}

/// Whether a grid is the new version of an old one.
fn is_same(old: &LdtkGrid, new: &LdtkGridContents) -> bool {
    let new = &new.grid;
    old.layer_iid == new.layer_iid && old.role == new.role && old.index == new.index
}

/// The movers that are inside of walls of levels. None if there is no plugin.
fn stuck_in(levels: &[Entity], world: &mut World) -> Vec<LdtkStuck> {
    refresh_colliders(world);
    let mut walls = HashSet::new();
    let mut left = levels.to_vec();
    while let Some(entity) = left.pop() {
        walls.insert(entity);
        left.extend(world.get::<Children>(entity).into_iter().flatten());
    }
    let stuck = world.run_system_cached_with(find_stuck, walls);
    stuck.unwrap_or_default()
}

fn find_stuck(
    In(walls): In<HashSet<Entity>>,
    movers: Query<Entity, With<Mover>>,
    query: SpatialQuery,
) -> Vec<LdtkStuck> {
    let mut stuck: Vec<LdtkStuck> = (movers.iter())
        .filter_map(|mover| Some((mover, query.of(mover)?.in_the_way())))
        .flat_map(|(mover, walls)| walls.into_iter().map(move |wall| LdtkStuck { mover, wall }))
        .filter(|stuck| walls.contains(&stuck.wall) && !movers.contains(stuck.wall))
        .collect();
    stuck.sort_unstable_by_key(|stuck| (stuck.mover, stuck.wall));
    stuck
}
