//! The entities of a level, and the components that their fields name.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use bevy_thud_maps::{MapLocation, settings};

use crate::{
    LdtkEntityRule, LdtkError, LdtkFields, LdtkLevel, LdtkProblem, LdtkProjectId, LdtkRules,
    json::{self, Defs, Layer, Lenient},
    rules::EntitySize,
};

/// An entity of a map. It stands at the center of its rectangle, as a child of its level, with all
/// of its fields in [`LdtkFields`].
///
/// Fields with these identifiers have the last word over the [rule](crate::LdtkEntityRule) for the
/// entity. Upper and lower case and underscores do not matter.
///
/// | field | type | |
/// |---|---|---|
/// | `Solid` | Bool | whether it is [`Solid`]; the next two precede |
/// | `Sensor` | Bool | true: it is not [`Solid`], whatever else holds |
/// | `OneWay` | Bool, String, Enum | true, Up, Down, Left or Right: [`Solid`] and [`OneWay`] |
/// | `Swept` | Bool | whether it is [`Swept`] |
/// | `Collider` | Bool | whether it has a collider |
/// | `CollisionLayers` | Int, String, Enum, an array | the layers that it is in |
/// | `CollisionFilters` | the same | the layers that it collides with |
///
/// Layers are numbers from 0 to 31, or names that [`LdtkRules::mask`] knows; a String may have
/// several with commas between them. A String may be `true` or `false` in place of a Bool. `OneWay`
/// may be false: not [`OneWay`], whatever the rule is. A false `Sensor` changes nothing: LDtk
/// writes all fields of an entity, also those that its author did not touch.
///
/// What is null, an empty String or an empty array changes nothing. Other components are the
/// game's: insert them in an observer of `On<Add, LdtkEntity>`, from the fields.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct LdtkEntity {
    /// The identifier of its definition.
    pub identifier: String,
    /// The iid, which no other entity of the project has. The index in its layer in files of LDtk
    /// before 1.0, which have no iids.
    pub iid: String,
    /// Its project.
    pub project: LdtkProjectId,
    /// The [iid](crate::LdtkLevel::iid) of its level, in whose frame the points of its fields are.
    pub level: String,
    /// The identifier of its layer.
    pub layer: String,
    /// The tags of its definition.
    pub tags: Vec<String>,
    /// Its width and height in world units.
    pub size: Vec2,
    /// The fraction of its size that is left of its pivot and below it, 0 to 1.
    pub pivot: Vec2,
}

/// An entity of a level, before it is spawned.
#[derive(Clone, Debug, PartialEq)]
pub struct LdtkEntityContents {
    /// Its center, in world units from the lower left of the level.
    pub center: Vec2,
    /// What it is.
    pub entity: LdtkEntity,
    /// Its fields.
    pub fields: LdtkFields,
    /// Its shape, if it has one.
    pub collider: Option<RectCollider>,
    /// Whether it is [`Solid`].
    pub is_solid: bool,
    /// Whether it is [`OneWay`], and the direction.
    pub one_way: Option<Dir2>,
    /// Whether it is [`Swept`].
    pub is_swept: bool,
    /// Its layers, if it has any in particular.
    pub layers: Option<CollisionLayers>,
    /// Whether it is [`MapPersistent`](crate::MapPersistent).
    pub is_persistent: bool,
}

/// Adds the entities of a layer of a level.
pub(crate) fn read_layer(
    layer: &Layer,
    defs: &Defs,
    rules: &LdtkRules,
    level: &LdtkLevel,
    error: &dyn Fn(LdtkProblem) -> LdtkError,
    errors: &mut Vec<LdtkError>,
) -> Vec<LdtkEntityContents> {
    let mut entities = Vec::new();
    let to_level = |position: Vec2| {
        let position = position + Vec2::new(layer.offset_x, layer.offset_y);
        Vec2::new(position.x, level.size.y - position.y) * rules.units_per_pixel
    };
    for entity in &layer.entity_instances {
        let entity = match entity {
            Lenient::Good(entity) => entity,
            Lenient::Bad { name, why } => {
                let error = error(LdtkProblem::Malformed(why.clone()));
                errors.push(error.at(MapLocation::Entity(name.clone())));
                continue;
            }
        };
        let mut known = defs.entities.iter().filter_map(Lenient::good);
        let reader = EntityReader {
            entity,
            def: known.find(|def| def.uid == entity.def_uid),
            rules,
            level,
            layer,
        };
        let mut problems = Vec::new();
        entities.push(reader.read(&to_level, &mut problems));
        let name = format!("{} {}", entity.identifier, entity.iid);
        let name = name.trim_end();
        let of_entity = |problem| error(problem).at(MapLocation::Entity(name.into()));
        errors.extend(problems.into_iter().map(of_entity));
    }
    entities
}

struct EntityReader<'a> {
    entity: &'a json::Entity,
    def: Option<&'a json::EntityDef>,
    rules: &'a LdtkRules,
    level: &'a LdtkLevel,
    layer: &'a Layer,
}

impl EntityReader<'_> {
    fn read(
        &self,
        to_level: &dyn Fn(Vec2) -> Vec2,
        problems: &mut Vec<LdtkProblem>,
    ) -> LdtkEntityContents {
        let entity = self.entity;
        let scale = self.rules.units_per_pixel;
        let at_pivot = to_level(Vec2::from(entity.px));
        let size = Vec2::new(entity.width, entity.height) * scale;
        let pivot = Vec2::new(entity.pivot[0], 1.0 - entity.pivot[1]);
        let center_of = |size: Vec2| at_pivot + (0.5 - pivot) * size;
        let center = center_of(size);
        let grid_size = f32::from(self.layer.grid_size);
        // The editor puts an entity that is in a cell at its pivot in this cell.
        let in_cell = |cell: Vec2| {
            to_level((cell + Vec2::from(entity.pivot)) * grid_size) + (0.5 - pivot) * size
        };
        let read = LdtkFields::read(&entity.field_instances, in_cell);
        problems.extend(read.reasons.into_iter().map(LdtkProblem::Malformed));
        let (settings, misfits) = settings(&read.fields, &self.rules.masks);
        problems.extend(misfits.into_iter().map(LdtkProblem::from));
        let rule = self.rules.of_entity(&entity.identifier, &entity.tags);
        let rule = rule.overridden_by(settings);
        LdtkEntityContents {
            center,
            entity: LdtkEntity {
                identifier: entity.identifier.clone(),
                iid: entity.iid.clone(),
                project: self.level.project.clone(),
                level: self.level.iid.clone(),
                layer: self.layer.identifier.clone(),
                tags: entity.tags.clone(),
                size,
                pivot,
            },
            fields: read.fields,
            collider: self.collider(&rule, size, center_of, problems),
            is_solid: rule.is_solid,
            one_way: rule.one_way,
            is_swept: rule.is_swept,
            layers: rule.layers,
            is_persistent: rule.is_persistent,
        }
    }

    /// The collider of an instance of a size. `center_of` returns the center of a rectangle of
    /// another size at the same pivot.
    fn collider(
        &self,
        rule: &LdtkEntityRule,
        size: Vec2,
        center_of: impl Fn(Vec2) -> Vec2,
        problems: &mut Vec<LdtkProblem>,
    ) -> Option<RectCollider> {
        let drawn = match (rule.size, self.def) {
            (EntitySize::NoCollider, _) => return None,
            (EntitySize::Definition, Some(def)) => {
                Vec2::new(def.width, def.height) * self.rules.units_per_pixel
            }
            _ => size,
        };
        let collider = RectCollider {
            size: drawn - rule.inset,
            offset: center_of(drawn) - center_of(size),
        };
        let has_area = |size: Vec2| size.cmpgt(Vec2::ZERO).all();
        if !has_area(drawn) {
            problems.push(LdtkProblem::ZeroSize("its size"));
            None
        } else if !has_area(collider.size) {
            problems.push(LdtkProblem::ZeroSize("its size, less that of its rule,"));
            None
        } else {
            Some(collider)
        }
    }
}
