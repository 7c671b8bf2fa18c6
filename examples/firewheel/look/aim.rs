//! An arrow that shows where the pistol aims, until the first kill.

use bevy::prelude::*;

use super::{
    super::game::{
        player::{Intent, Player},
        score::Score,
    },
    brush::{Brush, palette},
};

const DOTS: usize = 7;
/// The distance of the first dot from the player, and from dot to dot.
const START: f32 = 34.0;
const DOT_GAP: f32 = 15.0;
const DOT_RADIUS: f32 = 2.5;
const TIP: Vec2 = Vec2::new(16.0, 16.0);

/// Rotates to where the player aims.
#[derive(Component)]
struct AimArrow;

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (draw, point).chain());
}

fn draw(players: Query<Entity, Added<Player>>, mut brush: Brush, mut commands: Commands) {
    for player in &players {
        let mut arrow = commands.spawn((AimArrow, Transform::default(), Visibility::default()));
        let position = |number: usize| Vec3::new(START + DOT_GAP * number as f32, 0.0, 4.0);
        for number in 0..DOTS {
            arrow.with_child(brush.disc(palette::AIM, position(number), DOT_RADIUS));
        }
        arrow.with_child(brush.triangle(palette::AIM, position(DOTS), TIP));
        let arrow = arrow.id();
        commands
            .entity(player)
            .insert(Visibility::default())
            .add_child(arrow);
    }
}

fn point(
    players: Query<(&Intent, &Children)>,
    score: Res<Score>,
    mut arrows: Query<(&mut Transform, &mut Visibility), With<AimArrow>>,
) {
    for (intent, children) in &players {
        for &child in children {
            if let Ok((mut at, mut visibility)) = arrows.get_mut(child) {
                at.rotation = Quat::from_rotation_z(intent.aim.to_angle());
                *visibility = if score.kills == 0 {
                    Visibility::Inherited
                } else {
                    Visibility::Hidden
                };
            }
        }
    }
}
