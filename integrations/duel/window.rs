//! The game in a window.

use bevy::{color::palettes::tailwind, prelude::*};
use bevy_thud::prelude::*;

use crate::duel::{
    Input,
    state::{Bullet, Fighter, Monster},
};

/// A window with this title, in which the game is drawn.
pub fn plugin(title: String) -> impl Plugin {
    move |app: &mut App| {
        let window = Window {
            title: title.clone(),
            resolution: (800, 520).into(),
            ..default()
        };
        app.add_plugins(DefaultPlugins.set(WindowPlugin {
            primary_window: Some(window),
            ..default()
        }))
        .insert_resource(ClearColor(tailwind::SLATE_900.into()))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(Camera2d);
        })
        .add_systems(Update, (draw, show_scores));
    }
}

/// WASD to move, space to fire.
pub fn pressed(keys: &ButtonInput<KeyCode>) -> Input {
    let buttons = [
        (KeyCode::KeyW, Input::UP),
        (KeyCode::KeyS, Input::DOWN),
        (KeyCode::KeyA, Input::LEFT),
        (KeyCode::KeyD, Input::RIGHT),
        (KeyCode::Space, Input::FIRE),
    ];
    let pressed = buttons.iter().filter(|(key, _)| keys.pressed(*key));
    Input(pressed.fold(0, |bits, (_, bit)| bits | bit))
}

type Circle = (
    &'static CircleCollider,
    &'static Transform,
    Option<&'static Fighter>,
    Option<&'static Bullet>,
    Has<Monster>,
);

fn draw(mut gizmos: Gizmos, walls: Query<(&RectCollider, &Transform)>, circles: Query<Circle>) {
    for (rect, transform) in &walls {
        let pose = Isometry2d::new(
            transform.translation.xy(),
            Rot2::radians(transform.rotation.to_euler(EulerRot::ZYX).0),
        );
        gizmos.rect_2d(pose, rect.size, tailwind::SLATE_400);
    }
    for (circle, transform, fighter, bullet, is_monster) in &circles {
        let at = transform.translation.xy();
        let of_player = |player| [tailwind::SKY_400, tailwind::AMBER_400][player];
        let color = match (fighter, bullet) {
            (Some(fighter), _) => of_player(fighter.player),
            (_, Some(bullet)) => of_player(bullet.owner),
            _ if is_monster => tailwind::ROSE_500,
            _ => tailwind::SLATE_400,
        };
        for ring in 1..=circle.radius as u8 {
            gizmos.circle_2d(at, f32::from(ring), color);
        }
        if let Some(fighter) = fighter {
            let left = at + Vec2::new(-12.0, 18.0);
            let health = Vec2::X * fighter.health as f32 * 5.0;
            gizmos.line_2d(left, left + health, tailwind::LIME_400);
        }
    }
}

fn show_scores(
    fighters: Query<&Fighter>,
    mut windows: Query<&mut Window>,
    mut shown: Local<[u32; 2]>,
) {
    let mut scores = [0; 2];
    for fighter in &fighters {
        scores[fighter.player] = fighter.score;
    }
    if *shown != scores {
        *shown = scores;
        for mut window in &mut windows {
            window.title = format!("duel {} : {}", scores[0], scores[1]);
        }
    }
}
