//! A modified map replaces its levels.

use bevy::prelude::*;
use bevy_thud_maps::{MapPersistent, StuckMover, stuck_movers};

use crate::{
    LdtkContents, LdtkEntity, LdtkError, LdtkGrid, LdtkGridContents, LdtkLevel, LdtkMap, LdtkRules,
    error::grouped,
    from_map, ready,
    spawn::{self, InLevel, Origin},
};

/// What [`LdtkMap::reload`] did. The plugins write it as a message when the file of a map changed.
#[derive(Message, Clone, Debug, Default, PartialEq)]
pub struct LdtkReloaded {
    /// The entities of the levels that were replaced.
    pub levels: Vec<Entity>,
    /// The iids of the levels that are not in the map anymore, and were despawned.
    pub removed: Vec<String>,
    /// The movers that are inside of a wall of the map now. The next update pushes them out, or
    /// reports them as [`Crushed`](bevy_thud::Crushed).
    pub stuck: Vec<StuckMover>,
    /// What is wrong with the map, the rules and these levels: each kind of mistake once, with its
    /// [count](LdtkError::count).
    pub errors: Vec<LdtkError>,
}

impl LdtkMap {
    /// Replaces all levels of an earlier version of this map that are in the world: the grids and
    /// entities in them, whoever spawned them. Levels that are not in the map anymore are
    /// despawned, and new ones are not spawned. It is the same map if its
    /// [project](LdtkLevel::project) is the same: the iid, and the path or the name of the file.
    ///
    /// Then [`LdtkLevelReady`](crate::LdtkLevelReady) is triggered for each, and
    /// [`LdtkMapReady`](crate::LdtkMapReady).
    ///
    /// The entities of levels stay, and those of grids whose layers stay, with all that the game
    /// gave them: pairs, floors and other references to them go on, and starts and ends of
    /// collisions are reported for what changed. Entities of the map are spawned anew, also those
    /// that the game gave another parent, unless they are [`MapPersistent`]. Those that are gone
    /// from the map stay if they are.
    ///
    /// A level that stays where it was in the map stays where the game moved it.
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
            .filter(|(_, level)| level.project == self.project)
            .map(|(entity, level)| (entity, level.iid.clone()))
            .collect();
        self.replace_levels(None, levels, rules, world)
    }

    /// Replaces these levels, which have these iids and are children of an entity, or of none.
    pub(crate) fn replace_levels(
        &self,
        root: Option<Entity>,
        levels: Vec<(Entity, String)>,
        rules: &LdtkRules,
        world: &mut World,
    ) -> LdtkReloaded {
        let mut done = LdtkReloaded {
            errors: self.errors_outside_of_levels(rules),
            ..default()
        };
        for (entity, iid) in levels {
            let mut known = self.levels.iter();
            let Some(level) = known.find(|level| level.level.iid == iid) else {
                let _ = world.try_despawn(entity);
                done.removed.push(iid);
                continue;
            };
            match self.contents_of(level, rules) {
                Ok(contents) => {
                    done.errors.extend(contents.errors.iter().cloned());
                    if replace(entity, contents, world) {
                        done.levels.push(entity);
                    }
                }
                // The level stays as it is.
                Err(error) => done.errors.push(error),
            }
        }
        self.warn(done.errors.clone());
        done.errors = grouped(done.errors);
        ready::map(root, done.levels.clone(), world);
        done.stuck = stuck_in(&done.levels, world);
        done
    }
}

/// Replaces a level. Returns whether it exists afterwards: an observer may have despawned it.
fn replace(level: Entity, contents: LdtkContents, world: &mut World) -> bool {
    let mut old = world.query_filtered::<(Entity, &InLevel), Replaced>();
    let old = old.iter(world).filter(|(_, within)| within.0 == level);
    let old: Vec<Entity> = old.map(|(entity, _)| entity).collect();
    for entity in old {
        let _ = world.try_despawn(entity);
    }
    let origin = Origin(contents.origin);
    if world.get::<Origin>(level) != Some(&origin)
        && let Some(mut transform) = world.get_mut::<Transform>(level)
    {
        transform.translation = contents.origin.extend(transform.translation.z);
    }
    let identifier = &contents.level.identifier;
    if world
        .get::<LdtkLevel>(level)
        .is_some_and(|old| old.identifier != *identifier)
    {
        from_map::insert(Name::new(identifier.clone()), level, world);
    }
    from_map::insert((origin, contents.fields, contents.level), level, world);
    replace_grids(level, contents.grids, world);
    spawn::spawn_entities(contents.entities, level, world);
    ready::level(level, world);
    world.get_entity(level).is_ok()
}

/// The entities of the map that are spawned anew.
type Replaced = (With<LdtkEntity>, Without<MapPersistent>);

/// Makes these the grids in a level.
pub(crate) fn replace_grids(level: Entity, grids: Vec<LdtkGridContents>, world: &mut World) {
    let mut old = world.query::<(Entity, &InLevel, &LdtkGrid)>();
    let old = old.iter(world).filter(|(_, within, _)| within.0 == level);
    let mut old: Vec<(Entity, LdtkGrid)> = old
        .map(|(entity, _, grid)| (entity, grid.clone()))
        .collect();
    for grid in grids {
        let same = old.iter().position(|(_, old)| is_same(old, &grid));
        match same.map(|index| old.swap_remove(index).0) {
            Some(entity) => from_map::insert_grid(grid, entity, world),
            None => spawn::spawn_grid(grid, level, world),
        }
    }
    for (entity, _) in old {
        let _ = world.try_despawn(entity);
    }
}

/// Whether a grid is the new version of an old one.
fn is_same(old: &LdtkGrid, new: &LdtkGridContents) -> bool {
    let new = &new.grid;
    old.layer_iid == new.layer_iid && old.role == new.role && old.index == new.index
}

/// The movers that are inside of walls of levels. Empty without the plugin.
pub(crate) fn stuck_in(levels: &[Entity], world: &mut World) -> Vec<StuckMover> {
    let mut within = world.query_filtered::<(Entity, &InLevel), Without<MapPersistent>>();
    let within = within.iter(world);
    let within = within.filter(|(_, within)| levels.contains(&within.0));
    let mut entities: Vec<Entity> = within.map(|(entity, _)| entity).collect();
    entities.extend(levels);
    stuck_movers(entities, world)
}
