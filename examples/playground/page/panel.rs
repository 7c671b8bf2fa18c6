//! The panel with the numbers.

use bevy::{prelude::*, ui::UiSystems};

use super::super::explain::Explaining;
use super::{labels::Opaque, palette};

const FONT_SIZE: f32 = 13.0;

/// A paragraph of the panel.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Board,
    Figure,
    Pair,
    Construction,
    Cast,
}

impl Section {
    const ALL: [Self; 5] = [
        Self::Board,
        Self::Figure,
        Self::Pair,
        Self::Construction,
        Self::Cast,
    ];
}

/// The text of the panel. A section without text is hidden.
#[derive(Resource, Default)]
pub struct Readout([Paragraph; Section::ALL.len()]);

#[derive(Clone, Default)]
struct Paragraph {
    title: String,
    text: String,
    color: Color,
}

impl Readout {
    /// A title, and rows of a word and a value each.
    pub fn write(
        &mut self,
        section: Section,
        color: Color,
        title: impl Into<String>,
        rows: &[(&str, String)],
    ) {
        let lines = rows
            .iter()
            .map(|(word, value)| format!("{word:<10}{value}"));
        let text = lines.collect::<Vec<_>>().join("\n");
        self.0[section as usize] = Paragraph {
            title: title.into(),
            text,
            color,
        };
    }

    pub fn clear(&mut self, section: Section) {
        self.0[section as usize] = Paragraph::default();
    }
}

#[derive(Component)]
struct Title(Section);

#[derive(Component)]
struct Rows(Section);

pub fn plugin(app: &mut App) {
    app.init_resource::<Readout>()
        .add_systems(Startup, set_up)
        .add_systems(
            PostUpdate,
            show.after(Explaining).before(UiSystems::Prepare),
        );
}

fn set_up(mut commands: Commands) {
    let panel = Node {
        position_type: PositionType::Absolute,
        left: px(16),
        top: px(16),
        width: px(270),
        padding: UiRect::axes(px(14), px(12)),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(8)),
        flex_direction: FlexDirection::Column,
        row_gap: px(12),
        ..default()
    };
    let background = BackgroundColor(palette::PANEL);
    let edge = BorderColor::all(palette::PANEL_EDGE);
    commands
        .spawn((Opaque, panel, background, edge))
        .with_children(|panel| {
            for section in Section::ALL {
                let column = Node {
                    flex_direction: FlexDirection::Column,
                    row_gap: px(3),
                    ..default()
                };
                panel.spawn((section, column)).with_children(|column| {
                    column.spawn((Title(section), line(palette::INK)));
                    column.spawn((Rows(section), line(palette::FADED_INK)));
                });
            }
        });
}

fn line(color: Color) -> impl Bundle {
    let font = TextFont::from_font_size(FONT_SIZE);
    (Text::default(), font, TextColor(color))
}

fn show(
    readout: Res<Readout>,
    mut sections: Query<(&Section, &mut Node)>,
    mut titles: Query<(&Title, &mut Text, &mut TextColor)>,
    mut rows: Query<(&Rows, &mut Text, &mut Node), (Without<Title>, Without<Section>)>,
) {
    let shown_if = |shown| if shown { Display::Flex } else { Display::None };
    for (section, mut node) in &mut sections {
        let paragraph = &readout.0[*section as usize];
        node.display = shown_if(!paragraph.title.is_empty());
    }
    for (Title(section), mut text, mut color) in &mut titles {
        let paragraph = &readout.0[*section as usize];
        text.set_if_neq(Text::new(&paragraph.title));
        color.set_if_neq(TextColor(paragraph.color));
    }
    for (Rows(section), mut text, mut node) in &mut rows {
        let paragraph = &readout.0[*section as usize];
        node.display = shown_if(!paragraph.text.is_empty());
        text.set_if_neq(Text::new(&paragraph.text));
    }
}
