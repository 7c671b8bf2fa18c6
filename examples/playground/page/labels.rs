//! Labels in the drawing: text at a position in the world, of the same size at any zoom.

use bevy::{
    prelude::*,
    ui::{UiGlobalTransform, UiSystems},
};

use super::super::{board::View, explain::Explaining};
use super::{
    arrangement::{Wish, arrange},
    palette,
};

const FONT_SIZE: f32 = 13.0;
/// The width of a letter as a fraction of the font size: Bevy's default font is monospaced.
const LETTER_WIDTH: f32 = 0.6;
const LINE_HEIGHT: f32 = 1.25;
const PADDING: Vec2 = Vec2::new(5.0, 1.0);
/// The distance of labels to a line, in pixels.
const BEAD: f32 = 6.0;
const MOST_BEADS: f32 = 500.0;
/// If a pixel is wider than this many world units, there is no room for labels.
const FURTHEST: f32 = 5.0;
/// Labels are drawn above the world and below the panels.
const HEIGHT: i32 = -1;

struct Label {
    text: String,
    color: Color,
    at: Vec2,
    toward: Vec2,
}

impl Label {
    /// Labels have to be readable on any background.
    fn background(&self) -> Color {
        if self.toward == Vec2::ZERO {
            Color::NONE
        } else {
            palette::SLIP
        }
    }
}

/// The labels of this frame. Those added first get the better places.
#[derive(Resource, Default)]
pub struct Labels {
    labels: Vec<Label>,
    /// Lines that labels should not cover.
    lines: Vec<[Vec2; 2]>,
}

impl Labels {
    /// Adds a label beside a point in the world, in a direction from it if there is room.
    pub fn write(&mut self, at: Vec2, toward: Vec2, color: Color, text: impl Into<String>) {
        self.labels.push(Label {
            text: text.into(),
            color,
            at,
            toward: toward.normalize_or_zero(),
        });
    }

    /// Adds a label centered on a point in the world.
    pub fn write_upon(&mut self, at: Vec2, color: Color, text: impl Into<String>) {
        self.write(at, Vec2::ZERO, color, text);
    }

    /// Keeps labels off a line if there is room elsewhere.
    pub fn keep_off(&mut self, line: [Vec2; 2]) {
        self.lines.push(line);
    }
}

/// A node for a label. There are as many as were ever needed at the same time.
#[derive(Component)]
struct Slip;

/// Labels keep clear of this node.
#[derive(Component)]
pub struct Opaque;

pub fn plugin(app: &mut App) {
    app.init_resource::<Labels>().add_systems(
        PostUpdate,
        (add_slips, ApplyDeferred, place)
            .chain()
            .after(Explaining)
            .before(UiSystems::Prepare),
    );
}

fn add_slips(labels: Res<Labels>, slips: Query<(), With<Slip>>, mut commands: Commands) {
    for _ in slips.iter().len()..labels.labels.len() {
        let node = Node {
            position_type: PositionType::Absolute,
            padding: UiRect::axes(px(PADDING.x), px(PADDING.y)),
            border_radius: BorderRadius::all(px(4)),
            ..default()
        };
        let font = TextFont::from_font_size(FONT_SIZE);
        let slip = (Slip, node, Text::default(), font, GlobalZIndex(HEIGHT));
        commands.spawn((slip, BackgroundColor(palette::SLIP)));
    }
}

fn place(
    mut labels: ResMut<Labels>,
    view: View,
    panels: Query<(&ComputedNode, &UiGlobalTransform), With<Opaque>>,
    mut slips: Query<(&mut Node, &mut Text, &mut TextColor, &mut BackgroundColor), With<Slip>>,
) {
    let Labels { mut labels, lines } = std::mem::take(labels.as_mut());
    if view.pixel() > FURTHEST {
        labels.clear();
    }
    let wishes: Vec<Wish> = labels.iter().map(|label| wish(label, &view)).collect();
    let panels = panels.iter().map(|(node, at)| rect_of(node, at));
    let lines = lines.into_iter().flat_map(|line| {
        let ends = line.map(|end| view.to_window(end));
        beads(ends, view.size())
    });
    let area = Rect::from_corners(Vec2::ZERO, view.size());
    let places = arrange(&wishes, panels.chain(lines).collect(), area);
    let mut written = labels.into_iter().zip(places);
    for (mut node, mut text, mut color, mut background) in &mut slips {
        let Some((label, place)) = written.next() else {
            node.display = Display::None;
            continue;
        };
        node.display = Display::Flex;
        (node.left, node.top) = (px(place.min.x), px(place.min.y));
        background.set_if_neq(BackgroundColor(label.background()));
        text.set_if_neq(Text::new(label.text));
        color.set_if_neq(TextColor(label.color));
    }
}

/// In pixels of the window.
fn rect_of(node: &ComputedNode, at: &UiGlobalTransform) -> Rect {
    let scale = node.inverse_scale_factor;
    Rect::from_center_size(at.translation * scale, node.size() * scale)
}

fn wish(label: &Label, view: &View) -> Wish {
    let letters = label.text.chars().count() as f32;
    let size = FONT_SIZE * Vec2::new(letters * LETTER_WIDTH, LINE_HEIGHT);
    Wish {
        anchor: view.to_window(label.at),
        toward: label.toward * Vec2::new(1.0, -1.0),
        size: size + 2.0 * PADDING,
    }
}

/// Small squares that cover the visible part of a line.
fn beads([start, end]: [Vec2; 2], window: Vec2) -> impl Iterator<Item = Rect> {
    let count = (start.distance(end) / BEAD).min(MOST_BEADS) as u16 + 1;
    let places = (0..=count).map(move |bead| start.lerp(end, f32::from(bead) / f32::from(count)));
    let seen = Rect::from_corners(Vec2::ZERO, window);
    places
        .filter(move |place| seen.contains(*place))
        .map(|place| Rect::from_center_size(place, Vec2::splat(BEAD)))
}
