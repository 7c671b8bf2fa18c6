//! The collision shapes of a tile.

use bevy::prelude::*;
use tiled::{FillMode, Tile, TileData, Tileset};

use crate::{
    components::{TiledFlips, flip},
    error::{TiledError, TiledLocation},
    outline::{self, Layout, Outline, flip_direction},
    role::{TiledOneWay, TiledRole},
    rules::TiledRules,
};

/// A tile of a layer or of an object.
pub(crate) struct TileInstance<'a> {
    pub tile: &'a Tile<'a>,
    pub id: u32,
    pub flips: TiledFlips,
    /// The name of the layer.
    pub layer: &'a str,
}

/// What a tile is by itself.
pub(crate) struct TileShapes {
    pub role: TiledRole,
    /// Its shapes as they lie, with y up, and their roles, which include the one of the tile.
    pub shapes: Vec<(Outline, TiledRole)>,
    /// Whether Tiled has any for it. They may be without a collider.
    pub has_shapes: bool,
    pub errors: Vec<TiledError>,
}

impl TileShapes {
    pub fn read(instance: &TileInstance, layout: &Layout, rules: &TiledRules) -> Self {
        let mut errors = Vec::new();
        let mut report = |object, problem| {
            let location = TiledLocation::Tile {
                id: instance.id,
                object,
            };
            errors.push(TiledError {
                file: instance.tile.tileset().source.clone(),
                layer: Some(instance.layer.into()),
                location,
                problem,
            });
        };
        let TileInstance { tile, flips, .. } = *instance;
        let of_tile = rules.role_of(&tile.user_type, &tile.properties, &mut |problem| {
            report(None, problem);
        });
        let objects = tile.collision.as_ref().map(|it| it.object_data());
        let objects = objects.unwrap_or_default();
        let mut shapes = Vec::new();
        for object in objects {
            let mut report = |problem| report(Some(object.id()), problem);
            let role = rules.role_of(&object.user_type, &object.properties, &mut report);
            if role.has_collider == Some(false) {
                continue;
            }
            match outline::of_tile_object(object) {
                Ok(outline) => {
                    let outline = outline.map(|point| flip(layout.transform_point(point)));
                    shapes.push((outline, flipped(role.or(of_tile), flips)));
                }
                Err(problem) => report(problem),
            }
        }
        Self {
            role: flipped(of_tile, flips),
            shapes,
            has_shapes: !objects.is_empty(),
            errors,
        }
    }
}

/// The direction of a one-way tile is flipped with the tile.
fn flipped(role: TiledRole, flips: TiledFlips) -> TiledRole {
    let one_way = role.one_way.map(|one_way| match one_way {
        TiledOneWay::Direction(direction) => {
            let flipped = flip_direction(*direction, flips);
            TiledOneWay::Direction(Dir2::new(flipped).unwrap_or(direction))
        }
        TiledOneWay::Off => TiledOneWay::Off,
    });
    TiledRole { one_way, ..role }
}

/// The size of a tile's image, in pixels.
pub(crate) fn image_size(tileset: &Tileset, tile: Option<&TileData>) -> Vec2 {
    let rect = tile.and_then(|tile| tile.image_rect);
    let of_sheet = || UVec2::new(tileset.tile_width, tileset.tile_height).as_vec2();
    rect.map_or_else(of_sheet, |rect| {
        IVec2::new(rect.width, rect.height).as_vec2()
    })
}

/// With the offset of the tileset, and its fill mode.
pub(crate) fn fitted(layout: Layout, tileset: &Tileset) -> Layout {
    let layout = match tileset.fill_mode {
        FillMode::Stretch => layout,
        FillMode::PreserveAspectFit => layout.preserving_aspect(),
    };
    layout.moved(IVec2::new(tileset.offset_x, tileset.offset_y).as_vec2())
}
