//! Changes to a layout after which movers take the same paths, or paths that are known from them.

use bevy::prelude::*;

use super::layout::{Form, Layout, Wall};

/// A map of the plane that is exact in floats: right angles, mirrors, powers of two, and an offset.
#[derive(Clone, Copy, Debug)]
pub struct Map {
    pub matrix: Mat2,
    pub offset: Vec2,
}

impl Map {
    pub const fn linear(x_axis: Vec2, y_axis: Vec2) -> Self {
        Self {
            matrix: Mat2::from_cols(x_axis, y_axis),
            offset: Vec2::ZERO,
        }
    }

    pub fn scale(&self) -> f32 {
        self.matrix.x_axis.length()
    }

    pub fn point(&self, point: Vec2) -> Vec2 {
        self.matrix * point + self.offset
    }

    fn form(&self, form: &Form) -> Form {
        match form {
            Form::Circle { radius } => Form::Circle {
                radius: radius * self.scale(),
            },
            Form::Rect { size } => Form::Rect {
                size: (self.matrix * *size).abs(),
            },
            Form::Capsule { end, radius } => Form::Capsule {
                end: self.matrix * *end,
                radius: radius * self.scale(),
            },
            Form::Polygon { vertices } => Form::Polygon {
                vertices: vertices
                    .iter()
                    .map(|&vertex| self.matrix * vertex)
                    .collect(),
            },
            Form::Outlines { outlines } => {
                let mapped = |outline: &Vec<Vec2>| {
                    outline.iter().map(|&vertex| self.matrix * vertex).collect()
                };
                Form::Outlines {
                    outlines: outlines.iter().map(mapped).collect(),
                }
            }
            Form::Grid {
                columns,
                cells,
                cell_size,
            } => self.grid(*columns, cells, *cell_size),
        }
    }

    fn grid(&self, columns: usize, cells: &[bool], cell_size: Vec2) -> Form {
        let turn = Mat2::from_cols(self.matrix.x_axis, self.matrix.y_axis) * self.scale().recip();
        let count = |size: Vec2| (turn * size).abs();
        let old = Vec2::new(columns as f32, (cells.len() / columns) as f32);
        let new = count(old);
        // Twice the distance from the grid's center, in cells: whole numbers.
        let new_cells = (0..cells.len()).map(|index| {
            let (column, row) = (index % new.x as usize, index / new.x as usize);
            let cell = Vec2::new(column as f32, row as f32);
            let from_center = (2.0 * cell - new + 1.0) * Vec2::new(1.0, -1.0);
            let before = turn.transpose() * from_center * Vec2::new(1.0, -1.0);
            let before = (before + old - 1.0) / 2.0;
            cells[before.y as usize * columns + before.x as usize]
        });
        Form::Grid {
            columns: new.x as usize,
            cells: new_cells.collect(),
            cell_size: (self.matrix * cell_size).abs(),
        }
    }

    /// Everything in a layout, mapped. Its paths are the mapped ones.
    pub fn layout(&self, layout: &Layout) -> Layout {
        let mut layout = layout.clone();
        let sense = self.matrix.determinant().signum();
        for wall in &mut layout.walls {
            wall.form = self.form(&wall.form);
            wall.position = self.point(wall.position);
            wall.angle *= sense;
            wall.step = self.matrix * wall.step;
            wall.one_way = wall.one_way.map(|direction| self.matrix * direction);
        }
        for runner in &mut layout.runners {
            runner.form = self.form(&runner.form);
            runner.position = self.point(runner.position);
            runner.angle *= sense;
            for step in &mut runner.steps {
                *step = self.matrix * *step;
            }
        }
        layout.skin_width *= self.scale();
        layout
    }
}

/// The walls as children of a parent that is rotated, mirrored and twice as large.
pub fn under_a_parent(layout: &Layout) -> Layout {
    const ANGLE: f32 = 0.7;
    let mut layout = layout.clone();
    let position = Vec2::new(3.0, -5.0);
    let inverse = Map::linear(Vec2::new(-0.5, 0.0), Vec2::new(0.0, 0.5));
    let to_local = |vector: Vec2| inverse.matrix * Vec2::from_angle(-ANGLE).rotate(vector);
    for wall in &mut layout.walls {
        wall.form = inverse.form(&wall.form);
        wall.position = to_local(wall.position - position);
        wall.angle = ANGLE - wall.angle;
        wall.step = to_local(wall.step);
        wall.one_way = wall.one_way.map(|direction| inverse.matrix * direction);
    }
    layout.parent = Some(Transform {
        translation: position.extend(0.0),
        rotation: Quat::from_rotation_z(ANGLE),
        scale: Vec3::new(-2.0, 2.0, 1.0),
    });
    layout
}

/// The same layout, with other walls in place of each.
pub fn with_walls(layout: &Layout, change: impl FnMut(&Wall) -> Vec<Wall>) -> Layout {
    Layout {
        walls: layout.walls.iter().flat_map(change).collect(),
        ..layout.clone()
    }
}

fn corners(size: Vec2) -> Vec<Vec2> {
    let half = size / 2.0;
    let signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    signs.map(|(x, y)| half * Vec2::new(x, y)).into()
}

/// Polygons in place of rectangles, all with a vertex in the middle of each edge, with doubled
/// ones, and in the other winding.
pub fn with_redundant_vertices(wall: &Wall) -> Vec<Wall> {
    let mut vertices = match &wall.form {
        Form::Rect { size } => corners(*size),
        Form::Polygon { vertices } => vertices.clone(),
        _ => return vec![wall.clone()],
    };
    vertices.reverse();
    let next = vertices.iter().cycle().skip(1);
    let vertices = (vertices.iter().zip(next)).flat_map(|(&p, &q)| [p, p, p.midpoint(q)]);
    vec![Wall {
        form: Form::Polygon {
            vertices: vertices.collect(),
        },
        ..wall.clone()
    }]
}

/// A wall of this form, at a position relative to another one.
fn piece(wall: &Wall, center: Vec2, form: Form) -> Wall {
    Wall {
        form,
        position: wall.position + Vec2::from_angle(wall.angle).rotate(center),
        ..wall.clone()
    }
}

/// The pieces of a wall: halves of a rectangle and of a capsule, triangles, cells. One-way walls
/// stay whole: a mover in one piece would be blocked by the next.
pub fn cut(wall: &Wall) -> Vec<Wall> {
    if wall.one_way.is_some() {
        return vec![wall.clone()];
    }
    match &wall.form {
        Form::Circle { .. } | Form::Outlines { .. } => vec![wall.clone()],
        Form::Rect { size } => {
            let half = if size.x > size.y {
                Vec2::new(size.x / 2.0, size.y)
            } else {
                Vec2::new(size.x, size.y / 2.0)
            };
            let center = (*size - half) / 2.0;
            [-center, center]
                .map(|center| piece(wall, center, Form::Rect { size: half }))
                .into()
        }
        Form::Capsule { end, radius } => [-*end, *end]
            .map(|end| {
                let form = Form::Capsule {
                    end: end / 2.0,
                    radius: *radius,
                };
                piece(wall, end / 2.0, form)
            })
            .into(),
        Form::Polygon { vertices } => {
            let next = vertices.iter().cycle().skip(1);
            let triangle = |(&p, &q): (&Vec2, &Vec2)| {
                let vertices = vec![Vec2::ZERO, p, q];
                piece(wall, Vec2::ZERO, Form::Polygon { vertices })
            };
            vertices.iter().zip(next).map(triangle).collect()
        }
        Form::Grid {
            columns,
            cells,
            cell_size,
        } => {
            let rows = cells.len() / columns;
            let cell = |index: usize| {
                let at = Vec2::new((index % columns) as f32, (index / columns) as f32);
                let from_center = at - (Vec2::new(*columns as f32, rows as f32) - 1.0) / 2.0;
                let center = from_center * cell_size * Vec2::new(1.0, -1.0);
                piece(wall, center, Form::Rect { size: *cell_size })
            };
            let is_solid = |index: &usize| cells[*index];
            (0..cells.len()).filter(is_solid).map(cell).collect()
        }
    }
}
