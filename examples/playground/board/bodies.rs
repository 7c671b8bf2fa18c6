//! The figures as entities: a form, a transform, and what the plugin and the renderer need of them.

use bevy::{
    asset::RenderAssetUsages,
    ecs::system::SystemParam,
    mesh::{Indices, PrimitiveTopology},
    prelude::*,
};

use super::super::figure::{Figure, Form};
use super::Working;

/// The difference in z between one figure and the next one above it.
const LAYER: f32 = 0.01;

/// The figures on the board.
#[derive(SystemParam)]
pub struct Figures<'w, 's> {
    all: Query<'w, 's, (Entity, &'static Form, &'static Transform, &'static Name)>,
}

impl Figures<'_, '_> {
    pub fn count(&self) -> usize {
        self.all.iter().len()
    }

    pub fn get(&self, entity: Entity) -> Option<Figure> {
        let (_, form, transform, _) = self.all.get(entity).ok()?;
        Some(Figure::of(form, transform))
    }

    /// The outline of a cell in the world, or `None` if the figure has no cells.
    pub fn cell(&self, entity: Entity, cell: Option<UVec2>) -> Option<Vec<Vec2>> {
        self.get(entity)?.cell(cell?)
    }

    /// Its letter.
    pub fn name(&self, entity: Entity) -> &str {
        self.all.get(entity).map_or("", |(.., name)| name.as_str())
    }

    /// From bottom to top.
    pub fn sorted(&self) -> Vec<(Entity, Figure)> {
        let mut sorted: Vec<_> = self.all.iter().collect();
        sorted.sort_by(|a, b| a.2.translation.z.total_cmp(&b.2.translation.z));
        let figures = sorted.into_iter();
        figures
            .map(|(entity, form, transform, _)| (entity, Figure::of(form, transform)))
            .collect()
    }

    /// A z above all figures.
    pub fn top(&self) -> f32 {
        let heights = self.all.iter().map(|(_, _, at, _)| at.translation.z);
        heights.fold(0.0, f32::max) + LAYER
    }

    /// The first unused letter, or two letters if all are taken.
    fn free_name(&self) -> String {
        let letters = || ('A'..='Z').map(String::from);
        let pairs = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
        let is_free = |name: &String| self.all.iter().all(|(.., taken)| taken.as_str() != name);
        letters().chain(pairs).find(is_free).unwrap_or_default()
    }
}

/// Adds figures.
#[derive(SystemParam)]
pub struct Board<'w, 's> {
    figures: Figures<'w, 's>,
    commands: Commands<'w, 's>,
}

impl Board<'_, '_> {
    /// Adds a figure above all others.
    pub fn add(&mut self, figure: Figure) -> Entity {
        let name = self.figures.free_name();
        let height = self.figures.top();
        self.commands.spawn(body(figure, name, height)).id()
    }
}

pub fn body(figure: Figure, name: String, height: f32) -> impl Bundle {
    let transform = figure.transform(height);
    (figure.form, transform, Name::new(name))
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, embody.in_set(Working::Bodies));
}

fn embody(
    changed: Query<(Entity, &Form), Changed<Form>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut commands: Commands,
) {
    for (entity, form) in &changed {
        let mut entity = commands.entity(entity);
        form.put_on(&mut entity);
        entity.insert(Mesh2d(meshes.add(filling(form))));
    }
}

/// Each convex piece is a fan of triangles around its first vertex.
fn filling(form: &Form) -> Mesh {
    let mut corners: Vec<[f32; 3]> = Vec::new();
    let mut triangles: Vec<u32> = Vec::new();
    for piece in form.kind().pieces() {
        let first = corners.len() as u32;
        corners.extend(piece.iter().map(|corner| corner.extend(0.0).to_array()));
        let last = corners.len() as u32;
        triangles.extend((first + 2..last).flat_map(|corner| [first, corner - 1, corner]));
    }
    Mesh::new(
        PrimitiveTopology::TriangleList,
        RenderAssetUsages::default(),
    )
    .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
    .with_inserted_indices(Indices::U32(triangles))
}
