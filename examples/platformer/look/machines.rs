//! The ferry, the lift, the crusher, the seesaw, the wheel and the conveyor.

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::{
    super::game::{Score, machines::Machine},
    brush::{Brush, bar, palette, rect},
    smooth::Drawn,
};

const SPOKES: u32 = 4;
/// The distance between two marks of a belt.
const MARK_GAP: f32 = 16.0;

/// A mark that moves with its belt: where it was at the start, and the length of the belt.
#[derive(Component)]
struct Mark {
    start: f32,
    length: f32,
    speed: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (draw, move_marks));
}

fn draw(
    machines: Query<(Entity, &Machine, AnyOf<(&RectCollider, &CircleCollider)>), Added<Machine>>,
    belts: Query<&Conveyor>,
    mut brush: Brush,
    mut commands: Commands,
) {
    for (entity, machine, (rect, circle)) in &machines {
        let size = rect.map_or(Vec2::ZERO, |rect| rect.size);
        let mut owner = commands.entity(entity);
        owner.insert(Visibility::default());
        owner.with_children(|owner| {
            owner.spawn(Drawn).with_children(|drawn| match machine {
                Machine::Ferry | Machine::Lift => draw_platform(drawn, size),
                Machine::Crusher => draw_crusher(drawn, &mut brush, size),
                Machine::Seesaw => draw_seesaw(drawn, &mut brush, size),
                Machine::Wheel => {
                    draw_wheel(
                        drawn,
                        &mut brush,
                        circle.map_or(0.0, |circle| circle.radius),
                    );
                }
                Machine::Conveyor => {
                    let speed = belts.get(entity).map_or(0.0, |belt| belt.0.x);
                    draw_belt(drawn, size, speed);
                }
            });
        });
    }
}

fn draw_platform(drawn: &mut ChildSpawnerCommands, size: Vec2) {
    drawn.spawn(rect(palette::STEEL, 0.4 * Vec3::Z, size));
    let top = Vec3::new(0.0, size.y / 2.0 - 1.5, 0.5);
    drawn.spawn(rect(palette::STRIPE, top, Vec2::new(size.x, 3.0)));
    for side in [-1.0, 1.0] {
        let at = Vec3::new(side * (size.x / 2.0 - 5.0), -1.5, 0.5);
        drawn.spawn(rect(palette::STEEL_DARK, at, Vec2::splat(3.0)));
    }
}

fn draw_crusher(drawn: &mut ChildSpawnerCommands, brush: &mut Brush, size: Vec2) {
    const TOOTH: f32 = 6.0;
    drawn.spawn(rect(palette::STEEL_DARK, 0.4 * Vec3::Z, size));
    let bottom = -size.y / 2.0;
    let band = Vec3::new(0.0, bottom + 11.0, 0.5);
    drawn.spawn(rect(palette::DANGER, band, Vec2::new(size.x, 10.0)));
    for tooth in 0..(size.x / TOOTH) as u32 {
        let left = Vec2::new(TOOTH * tooth as f32 - size.x / 2.0, bottom + TOOTH);
        let corners = [
            left,
            left + TOOTH * Vec2::X,
            left + Vec2::new(TOOTH / 2.0, -TOOTH),
        ];
        drawn.spawn(brush.triangle(palette::WHITE, 0.6, corners));
    }
}

fn draw_seesaw(drawn: &mut ChildSpawnerCommands, brush: &mut Brush, size: Vec2) {
    drawn.spawn(rect(palette::WOOD, 0.4 * Vec3::Z, size));
    for side in [-1.0, 1.0] {
        let at = Vec3::new(side * (size.x / 2.0 - 3.0), 0.0, 0.5);
        drawn.spawn(rect(palette::WOOD_DARK, at, Vec2::new(6.0, size.y)));
    }
    drawn.spawn(brush.disc(palette::STEEL_DARK, 0.6 * Vec3::Z, 7.0));
    drawn.spawn(brush.disc(palette::STRIPE, 0.7 * Vec3::Z, 3.0));
}

fn draw_wheel(drawn: &mut ChildSpawnerCommands, brush: &mut Brush, radius: f32) {
    drawn.spawn(brush.disc(palette::WOOD_DARK, 0.3 * Vec3::Z, radius));
    drawn.spawn(brush.disc(palette::WOOD, 0.4 * Vec3::Z, radius - 5.0));
    for spoke in 0..SPOKES {
        let angle = std::f32::consts::PI * spoke as f32 / SPOKES as f32;
        let end = Vec2::from_angle(angle) * (radius - 5.0);
        drawn.spawn(bar(palette::WOOD_DARK, 0.5, [-end, end], 4.0));
    }
    drawn.spawn(brush.disc(palette::STRIPE, 0.6 * Vec3::Z, 8.0));
}

fn draw_belt(drawn: &mut ChildSpawnerCommands, size: Vec2, speed: f32) {
    drawn.spawn(rect(palette::STEEL_DARK, 0.4 * Vec3::Z, size));
    for number in 0..(size.x / MARK_GAP) as u32 {
        let mark = Mark {
            start: MARK_GAP * number as f32,
            length: size.x,
            speed,
        };
        let at = Vec3::new(0.0, size.y / 2.0 - 2.0, 0.5);
        drawn.spawn((mark, rect(palette::STRIPE, at, Vec2::new(5.0, 4.0))));
    }
}

fn move_marks(score: Res<Score>, mut marks: Query<(&Mark, &mut Transform)>) {
    for (mark, mut transform) in &mut marks {
        let moved = mark.start + mark.speed * score.seconds;
        transform.translation.x = moved.rem_euclid(mark.length) - mark.length / 2.0;
    }
}
