//! A bot that plays as a human would: it walks to where there is the least danger, and fires at the
//! nearest monster that it sees.

use std::f32::consts::TAU;

use bevy::prelude::*;
use bevy_thud::prelude::*;

use super::super::game::{
    Step, exact, fire_wheel,
    flow_field::{self, FlowField},
    hazard::Hazard,
    health::Health,
    medkit::Medkit,
    monsters::{self, Glob, Monster, nearest},
    player::{self, Intent, Player},
    stage::Stage,
};

/// The number of directions that it considers.
const HEADINGS: usize = 16;
/// It looks one and two steps of this length ahead.
const STRIDE: f32 = 36.0;
const FIRING_RANGE: f32 = 420.0;
/// A monster nearer than this counts for more than a wall.
const UNEASY: f32 = 48.0;
/// This distance to the goal counts as much.
const EAGERNESS: f32 = 500.0;
/// Below this fraction of its health it looks for a medkit.
const HURT: f32 = 0.6;
const MOURNING_SECONDS: f32 = 1.0;

/// It decides no faster than a human would.
const REACTION_SECONDS: f32 = 0.25;

/// A player without a human.
#[derive(Component)]
pub struct Bot {
    looks: Timer,
}

impl Default for Bot {
    fn default() -> Self {
        Self {
            looks: Timer::from_seconds(REACTION_SECONDS, TimerMode::Repeating),
        }
    }
}

/// Every player is a bot.
pub fn plugin(app: &mut App) {
    app.register_required_components::<Player, Bot>()
        .add_systems(
            Update,
            (
                decide.in_set(Step::Intents).after(flow_field::find_paths),
                play_again.in_set(Step::Arena).after(monsters::emerge),
            ),
        );
}

type Foes<'w, 's> = Query<'w, 's, (&'static Transform, &'static Mover, &'static Monster)>;

fn decide(
    mut bots: Query<(&mut Bot, &Transform, &Health, &mut Intent)>,
    monsters: Foes,
    globs: Query<&Transform, With<Glob>>,
    medkits: Query<&Transform, With<Medkit>>,
    hazards: Query<&Hazard>,
    field: Res<FlowField>,
    time: Res<Time>,
) {
    let threats: Vec<(Vec2, f32)> = monsters
        .iter()
        .map(|(at, _, kind)| (at.translation.truncate(), kind.traits().radius))
        .chain(globs.iter().map(|at| (at.translation.truncate(), 4.0)))
        .collect();
    let hazards = hazards.iter().filter(|hazard| hazard.is_live);
    let dangers = Dangers {
        threats,
        hazards: hazards.map(|hazard| hazard.area).collect(),
        field: &field,
    };
    for (mut bot, at, health, mut intent) in &mut bots {
        if !bot.looks.tick(time.delta()).just_finished() {
            continue;
        }
        let position = at.translation.truncate();
        let target = find_target(position, &monsters, &field);
        let prey = monsters.iter().map(|(at, ..)| at.translation.truncate());
        let medkit = medkits
            .iter()
            .map(|medkit| medkit.translation.truncate())
            .find(|&medkit| health.fraction() < HURT && field.is_clear(position, medkit));
        let goal = medkit
            .or_else(|| nearest(prey, position).filter(|_| target.is_none()))
            .unwrap_or_default();
        intent.walk = dangers.safest_heading(position, goal);
        intent.fire = target.is_some();
        if let Some(aim) = target.and_then(|target| (target - position).try_normalize()) {
            intent.aim = aim;
        }
    }
}

/// What a bot avoids.
struct Dangers<'a> {
    /// Positions and radii of monsters and their spit.
    threats: Vec<(Vec2, f32)>,
    /// The areas of hazards that are live.
    hazards: Vec<Rect>,
    field: &'a FlowField,
}

impl Dangers<'_> {
    /// The direction with the least danger ahead. Among equals, the one toward the goal.
    fn safest_heading(&self, position: Vec2, goal: Vec2) -> Vec2 {
        let headings = (0..HEADINGS).map(|i| exact::direction(TAU * i as f32 / HEADINGS as f32));
        let cost = |heading: Vec2| -> f32 {
            [1.0, 2.0]
                .map(|steps| position + heading * STRIDE * steps)
                .map(|there| self.danger(position, there) + there.distance(goal) / EAGERNESS)
                .iter()
                .sum()
        };
        headings
            .chain([Vec2::ZERO])
            .min_by(|&p, &q| cost(p).total_cmp(&cost(q)))
            .unwrap_or_default()
    }

    /// How dangerous a step from one position to another is.
    fn danger(&self, position: Vec2, there: Vec2) -> f32 {
        let wall = if self.field.is_open(position, there) {
            0.0
        } else {
            2.0
        };
        let is_in = |area: &Rect| area.inflate(player::RADIUS).contains(there);
        let hazard = if self.hazards.iter().any(is_in) {
            2.0
        } else {
            0.0
        };
        let near = |&(threat, radius): &(Vec2, f32)| {
            let gap = (threat.distance(there) - radius).max(4.0);
            let unease = UNEASY / gap;
            unease * unease * unease
        };
        wall + hazard + self.threats.iter().map(near).sum::<f32>()
    }
}

/// Where to aim to hit the nearest visible monster, which keeps moving.
fn find_target(position: Vec2, monsters: &Foes, field: &FlowField) -> Option<Vec2> {
    let distance = |at: &Transform| at.translation.truncate().distance(position);
    monsters
        .iter()
        .filter(|(at, ..)| distance(at) < FIRING_RANGE)
        .filter(|(at, ..)| field.is_clear(position, at.translation.truncate()))
        .min_by(|(p, ..), (q, ..)| distance(p).total_cmp(&distance(q)))
        .map(|(at, mover, _)| {
            at.translation.truncate() + mover.velocity * (distance(at) / fire_wheel::SPEED)
        })
}

/// Starts a new game when one is over.
fn play_again(
    mut mourned: Local<f32>,
    stage: Res<State<Stage>>,
    mut next: ResMut<NextState<Stage>>,
    time: Res<Time>,
) {
    if *stage.get() != Stage::Over {
        *mourned = 0.0;
        return;
    }
    *mourned += time.delta_secs();
    if *mourned > MOURNING_SECONDS {
        next.set(Stage::Playing);
    }
}
