//! What the tiles of a layer are: their pieces in cells, and the pieces that do not fit into cells.

use bevy::prelude::*;
use bevy_thud::prelude::*;
use tiled::{FillMode, Tile, TileData, TileRenderSize, Tileset};

use crate::{
    components::{TiledFlips, TiledProperties, TiledTile, flip},
    error::{TiledError, TiledLocation, TiledProblem},
    outline::{self, Layout, Outline, flip_direction},
    role::{TiledOneWay, TiledRole},
    rules::TiledRules,
};

/// A piece that covers more cells than this is a collider of its own.
const MAX_CELLS: i32 = 1024;
/// A piece farther from its cell than this, in cells, is a collider of its own as well.
const MAX_DISTANCE: f32 = (1 << 16) as f32;
/// Coordinates in cells that are this close to an edge are on it.
const SNAP: f32 = 1e-3;
/// What is left of a shape in a cell is nothing below this area, in cells.
const MIN_AREA: f32 = 1e-5;

/// A tile with its flips: what is solid of it, around the cell that it is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileKind {
    pub pieces: Vec<CellPiece>,
    pub loose: Vec<LoosePiece>,
}

/// What is in one cell.
#[derive(Clone, Debug)]
pub(crate) struct CellPiece {
    /// The cell, from the one of the tile, as Tiled counts.
    pub cell: IVec2,
    pub shape: CellShape,
    pub role: TiledRole,
}

/// What does not fit into cells, in pixels with y up, from the bottom left of the tile's cell.
#[derive(Clone, Debug)]
pub(crate) struct LoosePiece {
    pub outline: Outline,
    pub role: TiledRole,
}

/// The outlines of a tile's collision shapes in pixels of its image, each with its own role.
pub(crate) fn shapes_of_tile(
    tile: &TileData,
    rules: &TiledRules,
    report: &mut dyn FnMut(u32, TiledProblem),
) -> Vec<(Outline, TiledRole)> {
    let objects = tile.collision.iter().flat_map(|it| it.object_data());
    let mut shapes = Vec::new();
    for object in objects {
        let mut report = |problem| report(object.id(), problem);
        let role = rules.role_of(&object.user_type, &object.properties, &mut report);
        if role.has_collider == Some(false) {
            continue;
        }
        match outline::of_tile_object(object) {
            Ok(outline) => shapes.push((outline, role)),
            Err(problem) => report(problem),
        }
    }
    shapes
}

/// Makes kinds of tiles for one layer.
pub(crate) struct KindMaker<'a> {
    pub rules: &'a TiledRules,
    pub cell_size: Vec2,
    /// The role by the layer and all around it.
    pub layer_role: TiledRole,
    pub layer_name: &'a str,
}

impl KindMaker<'_> {
    /// A tile, and what is wrong with it.
    pub fn make(&self, tile: &Tile, id: u32, flips: TiledFlips) -> (TileKind, Vec<TiledError>) {
        let mut errors = Vec::new();
        let file = &tile.tileset().source;
        let mut report = |object, problem| {
            let location = TiledLocation::Tile { id, object };
            errors.push(TiledError {
                file: file.clone(),
                layer: Some(self.layer_name.into()),
                location,
                problem,
            });
        };
        let own = {
            let mut of_tile = |problem| report(None, problem);
            self.rules
                .role_of(&tile.user_type, &tile.properties, &mut of_tile)
        };
        let own = flipped(own, flips);
        let around = own.or(self.layer_role);
        let layout = layout(tile, flips, self.cell_size);
        let shapes = shapes_of_tile(tile, self.rules, &mut |object, problem| {
            report(Some(object), problem);
        });
        let has_shapes = (tile.collision.as_ref()).is_some_and(|it| !it.object_data().is_empty());
        let mut kind = TileKind::default();
        for (outline, role) in shapes {
            let role = flipped(role, flips).or(around).or(self.rules.tiles);
            if role.collides() {
                let outline = outline.map(|point| flip(layout.transform_point(point)));
                self.add(&mut kind, outline, role);
            }
        }
        // A tile without shapes is open, unless it, its layer or a class has a role.
        if !has_shapes && around.collides() {
            let vertices = layout.vertices().into_iter().map(flip).collect();
            self.add(&mut kind, Outline::convex(vertices), around);
        }
        (kind, errors)
    }

    fn add(&self, kind: &mut TileKind, outline: Outline, role: TiledRole) {
        let pieces = match outline {
            Outline::Line(_) => {
                kind.loose.push(LoosePiece { outline, role });
                return;
            }
            Outline::Area { pieces, .. } => pieces,
        };
        for piece in pieces {
            match in_cells(&piece, self.cell_size) {
                Some(cells) => {
                    let pieces = cells.map(|(cell, shape)| CellPiece { cell, shape, role });
                    kind.pieces.extend(pieces);
                }
                None => {
                    let outline = Outline::convex(piece);
                    kind.loose.push(LoosePiece { outline, role });
                }
            }
        }
    }
}

/// The direction of a one-way tile turns with the tile.
pub(crate) fn flipped(role: TiledRole, flips: TiledFlips) -> TiledRole {
    let one_way = role.one_way.map(|one_way| match one_way {
        TiledOneWay::Direction(direction) => {
            let rotated = flip_direction(*direction, flips);
            TiledOneWay::Direction(Dir2::new(rotated).unwrap_or(direction))
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

/// A tile as data.
pub(crate) fn tile_data(
    tileset: &Tileset,
    tile: Option<&TileData>,
    id: u32,
    flips: TiledFlips,
) -> TiledTile {
    TiledTile {
        tileset: tileset.name.clone(),
        id,
        class: tile.map(|tile| tile.user_type.clone()).unwrap_or_default(),
        properties: TiledProperties(tile.map(|tile| tile.properties.clone()).unwrap_or_default()),
        flips,
    }
}

/// Where a tile lies, in pixels with y down from the bottom left of its cell.
fn layout(tile: &Tile, flips: TiledFlips, cell_size: Vec2) -> Layout {
    let tileset = tile.tileset();
    let image = image_size(tileset, Some(tile));
    let layout = match tileset.tile_render_size {
        TileRenderSize::Tile => Layout::at(image, flips, Vec2::ZERO),
        TileRenderSize::Grid => {
            let top_left = Vec2::new(0.0, -cell_size.y);
            Layout::into_rect(image, flips, top_left, cell_size)
        }
    };
    fitted(layout, tileset)
}

/// With the offset of the tileset, and its way to fill.
pub(crate) fn fitted(layout: Layout, tileset: &Tileset) -> Layout {
    let layout = match tileset.fill_mode {
        FillMode::Stretch => layout,
        FillMode::PreserveAspectFit => layout.preserving_aspect(),
    };
    layout.moved(IVec2::new(tileset.offset_x, tileset.offset_y).as_vec2())
}

/// Cuts a convex piece, in pixels from the bottom left of a cell with y up, into what is in each
/// cell. `None` if that takes shapes that cells do not have.
fn in_cells(
    piece: &[Vec2],
    cell_size: Vec2,
) -> Option<impl Iterator<Item = (IVec2, CellShape)> + use<>> {
    let points: Vec<Vec2> = (piece.iter())
        .map(|point| snapped(*point / cell_size))
        .collect();
    let low = points.iter().copied().reduce(Vec2::min)?.floor();
    let high = points.iter().copied().reduce(Vec2::max)?.ceil();
    let extent = high - low;
    let distance = low.abs().max(high.abs()).max_element();
    if !(distance <= MAX_DISTANCE && extent.x * extent.y <= MAX_CELLS as f32) {
        return None;
    }
    let [low, high] = [low.as_ivec2(), high.as_ivec2()];
    let mut shapes = Vec::new();
    for y in low.y..high.y {
        for x in low.x..high.x {
            let cell = IVec2::new(x, y);
            let within = clipped(&points, cell.as_vec2());
            if area(&within) < MIN_AREA {
                continue;
            }
            let shape = CellShape::polygon(within).ok()?;
            shapes.push((IVec2::new(x, -y), shape));
        }
    }
    Some(shapes.into_iter())
}

fn snapped(point: Vec2) -> Vec2 {
    let on_edge = |number: f32| {
        let edge = number.round();
        // Adding zero turns minus zero into zero.
        if (number - edge).abs() < SNAP {
            edge + 0.0
        } else {
            number
        }
    };
    Vec2::new(on_edge(point.x), on_edge(point.y))
}

/// The piece of a convex polygon in the unit square at `origin`, from there.
fn clipped(points: &[Vec2], origin: Vec2) -> Vec<Vec2> {
    let mut points: Vec<Vec2> = points.iter().map(|point| *point - origin).collect();
    let edges = [
        (Vec2::X, 0.0),
        (Vec2::Y, 0.0),
        (Vec2::NEG_X, -1.0),
        (Vec2::NEG_Y, -1.0),
    ];
    for (normal, distance) in edges {
        let depth = |point: Vec2| normal.dot(point) - distance;
        let mut kept = Vec::with_capacity(points.len() + 1);
        for (index, &to) in points.iter().enumerate() {
            let from = points[(index + points.len() - 1) % points.len()];
            let [before, after] = [depth(from), depth(to)];
            if (before < 0.0) != (after < 0.0) {
                kept.push(from + (to - from) * (before / (before - after)));
            }
            if after >= 0.0 {
                kept.push(to);
            }
        }
        points = kept;
    }
    for point in &mut points {
        *point = snapped(*point).clamp(Vec2::ZERO, Vec2::ONE);
    }
    points.dedup();
    if points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    points
}

fn area(points: &[Vec2]) -> f32 {
    let next = points.iter().cycle().skip(1);
    let doubled: f32 = points.iter().zip(next).map(|(p, q)| p.perp_dot(*q)).sum();
    doubled.abs() / 2.0
}
