//! The collision shapes of a tile.

use bevy::prelude::*;

use crate::{
    components::flip,
    error::{TiledError, TiledProblem},
    file::{Tile, TileRef, Tileset},
    flips::TiledFlips,
    outline::{self, Layout, Outline, flip_direction},
    role::{TiledOneWay, TiledRole},
    rules::TiledRules,
};
use bevy_thud_maps::MapLocation;

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
    /// The shapes of a tile that a layer uses, with what the tileset says of it.
    pub fn read(
        used: &TileRef,
        tile: &Tile,
        layer: &str,
        layout: &Layout,
        rules: &TiledRules,
    ) -> Self {
        let TileRef { tileset, id, flips } = used;
        let mut errors = Vec::new();
        let mut report = |line, location, problem| {
            let error = TiledError::new(&tileset.source, problem);
            errors.push(error.at_line(line).in_layer(layer).at(location));
        };
        let at = |object| MapLocation::Tile { id: *id, object };
        let of_tile = rules.role_of(&tile.class, &tile.properties, &mut |problem| {
            report(tile.line, at(None), problem);
        });
        let of_tileset = rules.role_of(&tileset.class, &tileset.properties, &mut |problem| {
            report(tileset.line, MapLocation::Whole, problem);
        });
        let of_tile = of_tile.or(of_tileset);
        let mut shapes = Vec::new();
        for object in &tile.shapes {
            let mut report =
                |problem: TiledProblem| report(object.line, at(Some(object.id)), problem);
            let role = rules.role_of(&object.class, &object.properties, &mut report);
            if role.has_collider == Some(false) {
                continue;
            }
            match outline::of_tile_object(object) {
                Ok(outline) => {
                    let outline = outline.map(|point| flip(layout.transform_point(point)));
                    shapes.push((outline, flipped(role.or(of_tile), *flips)));
                }
                Err(problem) => report(problem),
            }
        }
        Self {
            role: flipped(of_tile, *flips),
            shapes,
            has_shapes: !tile.shapes.is_empty(),
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

/// With the offset of the tileset, and its fill mode.
pub(crate) fn fitted(layout: Layout, tileset: &Tileset) -> Layout {
    let layout = if tileset.keeps_aspect {
        layout.preserving_aspect()
    } else {
        layout
    };
    layout.moved(tileset.offset.as_vec2())
}
