//! The text: the list of scenes, the keys, and the measurements.

use bevy::prelude::*;

use super::{paint::palette, scene::Scene};

/// The measurements of the scene, in words.
#[derive(Resource, Default, PartialEq)]
pub struct Readout(pub String);

/// The title of a scene in the list.
#[derive(Component)]
struct Title(Scene);

#[derive(Component)]
struct HintLine;

#[derive(Component)]
struct ReadoutLine;

pub fn plugin(app: &mut App) {
    app.init_resource::<Readout>()
        .add_systems(Startup, set_up)
        .add_systems(PostUpdate, (show_scene, show_readout));
    for scene in Scene::ALL {
        app.add_systems(OnExit(scene), |mut readout: ResMut<Readout>| {
            readout.0.clear();
        });
    }
}

fn set_up(mut commands: Commands) {
    commands.spawn(Camera2d);
    commands.spawn(row(px(8), auto())).with_children(|row| {
        for (number, scene) in (1..).zip(Scene::ALL) {
            let title = format!("{number} {}", scene.title());
            row.spawn((Title(scene), line(title, 18.0)));
        }
        row.spawn(line("R again", 18.0));
    });
    commands
        .spawn(row(px(36), auto()))
        .with_child((HintLine, line("", 17.0)));
    commands
        .spawn(row(auto(), px(8)))
        .with_child((ReadoutLine, line("", 19.0)));
}

/// A row of the full width.
fn row(top: Val, bottom: Val) -> Node {
    Node {
        position_type: PositionType::Absolute,
        top,
        bottom,
        width: percent(100),
        justify_content: JustifyContent::Center,
        column_gap: px(26),
        ..default()
    }
}

fn line(text: impl Into<String>, size: f32) -> impl Bundle {
    let font = TextFont::from_font_size(size);
    (Text::new(text), font, TextColor(palette::PALE))
}

fn show_scene(
    scene: Res<State<Scene>>,
    mut titles: Query<(&Title, &mut TextColor)>,
    hint: Single<(&mut Text, &mut TextColor), (With<HintLine>, Without<Title>)>,
) {
    for (title, mut color) in &mut titles {
        let is_on = title.0 == *scene.get();
        color.set_if_neq(TextColor(if is_on { palette::GLOW } else { palette::PALE }));
    }
    let (mut text, mut color) = hint.into_inner();
    text.set_if_neq(Text::new(scene.get().hint()));
    color.set_if_neq(TextColor(palette::WHITE));
}

fn show_readout(readout: Res<Readout>, line: Single<&mut Text, With<ReadoutLine>>) {
    line.into_inner().set_if_neq(Text::new(&readout.0));
}
