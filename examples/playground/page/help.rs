//! The help bar: key caps, lit for what is switched on.

use bevy::prelude::*;

use super::super::{
    board::{Casting, Switch, Switches},
    figure::Form,
};
use super::{labels::Opaque, palette};

const FONT_SIZE: f32 = 12.0;

#[derive(Component)]
struct HelpBar;

/// What lights a key cap.
#[derive(Component, Clone, Copy)]
enum Lamp {
    Switch(Switch),
    Casting,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, set_up)
        .add_systems(PostUpdate, (show, light));
}

fn set_up(mut commands: Commands) {
    let bar = Node {
        position_type: PositionType::Absolute,
        left: px(16),
        right: px(16),
        bottom: px(14),
        flex_wrap: FlexWrap::Wrap,
        justify_content: JustifyContent::Center,
        column_gap: px(16),
        row_gap: px(6),
        padding: UiRect::axes(px(14), px(8)),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(8)),
        ..default()
    };
    let colors = (
        BackgroundColor(palette::PANEL),
        BorderColor::all(palette::PANEL_EDGE),
    );
    commands
        .spawn((HelpBar, Opaque, bar, colors))
        .with_children(|bar| {
            for (caps, text, lamp) in hints() {
                let pair = Node {
                    align_items: AlignItems::Center,
                    column_gap: px(6),
                    ..default()
                };
                bar.spawn(pair).with_children(|pair| {
                    let mut cap = pair.spawn(key_cap(caps));
                    if let Some(lamp) = lamp {
                        cap.insert(lamp);
                    }
                    pair.spawn(line(text, palette::FADED_INK));
                });
            }
        });
}

/// Key caps, what they do, and what lights them.
fn hints() -> Vec<(String, String, Option<Lamp>)> {
    let hint = |cap: &str, text: &str, lamp| (cap.to_owned(), text.to_owned(), lamp);
    let forms = (1..).zip(Form::starters());
    let adding = forms.map(|(digit, form)| hint(&format!("{digit}"), form.kind().title(), None));
    let switch = |switch| Some(Lamp::Switch(switch));
    let others = [
        hint("X", "remove", None),
        hint("R", "cast from here", Some(Lamp::Casting)),
        hint("C", "construction", switch(Switch::Construction)),
        hint("B", "boxes", switch(Switch::Boxes)),
        hint("Drag", "move, resize, turn", None),
        hint("Shift drag", "turn in steps", None),
        hint("Shift click", "vertex, cell", None),
        hint("Wheel", "zoom", None),
        hint("Right drag", "pan", None),
        hint("F", "whole view", None),
        hint("H", "hide this", None),
    ];
    adding.chain(others).collect()
}

fn key_cap(text: String) -> impl Bundle {
    let node = Node {
        padding: UiRect::axes(px(6), px(1)),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    let colors = (
        BackgroundColor(palette::KEY_CAP),
        BorderColor::all(palette::PANEL_EDGE),
    );
    (node, colors, line(text, palette::INK))
}

fn line(text: String, color: Color) -> impl Bundle {
    let font = TextFont::from_font_size(FONT_SIZE);
    (Text::new(text), font, TextColor(color))
}

fn show(switches: Res<Switches>, mut bar: Single<&mut Node, With<HelpBar>>) {
    let display = if switches.is_on(Switch::Help) {
        Display::Flex
    } else {
        Display::None
    };
    if bar.display != display {
        bar.display = display;
    }
}

fn light(
    switches: Res<Switches>,
    casting: Res<Casting>,
    mut caps: Query<(&Lamp, &mut BackgroundColor, &mut TextColor)>,
) {
    for (lamp, mut background, mut ink) in &mut caps {
        let is_on = match *lamp {
            Lamp::Switch(switch) => switches.is_on(switch),
            Lamp::Casting => casting.caster.is_some(),
        };
        let (cap, letter) = if is_on {
            (palette::CONTACT, palette::PAPER)
        } else {
            (palette::KEY_CAP, palette::INK)
        };
        background.set_if_neq(BackgroundColor(cap));
        ink.set_if_neq(TextColor(letter));
    }
}
