//! The waves of monsters.

use bevy::prelude::*;

use super::{
    Dice,
    arena::HALF_SIZE,
    exact,
    flow_field::FlowField,
    hazard::Hazard,
    monsters::{Fury, Monster, Portal},
    player::{self, Player, PlayerCount},
    stage::Stage,
};
use Monster::{Brute, Grunt, Skitterer, Spitter};

/// A wave for one player. For two players there are half as many monsters again, and they come
/// faster.
struct Wave {
    name: &'static str,
    pack: &'static [(Monster, usize)],
    /// Seconds between two monsters.
    seconds: f32,
}

/// A wave that teaches: few monsters at a time, which bite little.
struct Lesson {
    wave: Wave,
    /// The next monster comes when there are fewer than this for each player.
    at_once: usize,
    fury: Fury,
}

/// The first waves. Each of them adds something: shooting, then the presses, then the saws.
const LESSONS: [Lesson; 3] = [
    Lesson {
        wave: Wave {
            name: "One at a time",
            pack: &[(Grunt, 4)],
            seconds: 1.5,
        },
        at_once: 1,
        fury: Fury {
            speed: 0.6,
            bite: 0.25,
        },
    },
    Lesson {
        wave: Wave {
            name: "Mind the presses",
            pack: &[(Grunt, 8)],
            seconds: 1.0,
        },
        at_once: 2,
        fury: Fury {
            speed: 0.75,
            bite: 0.5,
        },
    },
    Lesson {
        wave: Wave {
            name: "Mind the saws",
            pack: &[(Grunt, 12)],
            seconds: 0.8,
        },
        at_once: 4,
        fury: Fury {
            speed: 0.9,
            bite: 0.75,
        },
    },
];

/// What comes after the lessons, over and over.
const WAVES: [Wave; 9] = [
    Wave {
        name: "They brought friends",
        pack: &[(Grunt, 22)],
        seconds: 0.5,
    },
    Wave {
        name: "Small and fast",
        pack: &[(Skitterer, 16), (Grunt, 8)],
        seconds: 0.45,
    },
    Wave {
        name: "The brute",
        pack: &[(Brute, 1), (Grunt, 16)],
        seconds: 0.5,
    },
    Wave {
        name: "Mind the spit",
        pack: &[(Spitter, 6), (Grunt, 12)],
        seconds: 0.6,
    },
    Wave {
        name: "Swarm",
        pack: &[(Skitterer, 42)],
        seconds: 0.22,
    },
    Wave {
        name: "Hammer and anvil",
        pack: &[(Brute, 2), (Spitter, 5), (Grunt, 10)],
        seconds: 0.55,
    },
    Wave {
        name: "Crowded",
        pack: &[(Grunt, 44)],
        seconds: 0.25,
    },
    Wave {
        name: "Stampede",
        pack: &[(Brute, 6), (Skitterer, 8)],
        seconds: 1.0,
    },
    Wave {
        name: "Everybody",
        pack: &[(Brute, 3), (Spitter, 6), (Grunt, 20), (Skitterer, 20)],
        seconds: 0.3,
    },
];

const GROWTH_PER_WAVE: f32 = 0.14;
const MOST_GROWTH: f32 = 3.0;
const BREAK_SECONDS: f32 = 2.0;
/// No monster spawns nearer to a player than this.
const FAIR_DISTANCE: f32 = 190.0;

/// The wave that a game begins with, from 1.
#[derive(Resource)]
pub struct FirstWave(pub usize);

/// The current wave.
#[derive(Resource, Default)]
pub struct Waves {
    /// 0 before the first one.
    pub number: usize,
    next: usize,
    /// The monsters still to come, the next one last.
    queue: Vec<Monster>,
    /// Seconds until the next monster or the next wave.
    seconds_left: f32,
    /// Whether all monsters of the wave are dead.
    is_cleared: bool,
}

impl Waves {
    pub fn name(&self) -> &'static str {
        self.wave().map_or("", |wave| wave.name)
    }

    /// How many monsters are still to come.
    pub fn coming(&self) -> usize {
        self.queue.len()
    }

    /// How much more there is of everything than in the first wave after the lessons.
    fn growth(&self) -> f32 {
        let waves = self.number.saturating_sub(LESSONS.len() + 1);
        (1.0 + GROWTH_PER_WAVE * waves as f32).min(MOST_GROWTH)
    }

    fn fury(&self) -> Fury {
        let growth = self.growth();
        let full = Fury {
            speed: growth,
            bite: growth,
        };
        self.lesson().map_or(full, |lesson| lesson.fury)
    }

    fn lesson(&self) -> Option<&'static Lesson> {
        LESSONS.get(self.number.checked_sub(1)?)
    }

    fn wave(&self) -> Option<&'static Wave> {
        let index = self.number.checked_sub(1)?;
        Some(match LESSONS.get(index) {
            Some(lesson) => &lesson.wave,
            None => &WAVES[(index - LESSONS.len()) % WAVES.len()],
        })
    }

    fn begin_next(&mut self, players: usize, dice: &mut Dice) {
        self.number = self.next;
        self.next += 1;
        self.is_cleared = false;
        for &(kind, count) in self.wave().map_or(&[][..], |wave| wave.pack) {
            let count = (count * (players + 1)) as f32 / 2.0 * self.growth();
            self.queue.extend(std::iter::repeat_n(kind, count as usize));
        }
        exact::shuffle(dice, &mut self.queue);
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Waves>()
        .add_systems(OnEnter(Stage::Playing), begin);
}

fn begin(mut waves: ResMut<Waves>, first: Res<FirstWave>) {
    *waves = Waves {
        next: first.0,
        seconds_left: BREAK_SECONDS,
        is_cleared: true,
        ..default()
    };
}

/// Spawns the monsters of a wave one after another, and begins the next wave when all are dead.
pub fn direct(
    mut waves: ResMut<Waves>,
    monsters: Query<(), Or<(With<Monster>, With<Portal>)>>,
    players: Query<&Transform, With<Player>>,
    hazards: Query<&Hazard>,
    (field, player_count, time): (Res<FlowField>, Res<PlayerCount>, Res<Time>),
    mut dice: ResMut<Dice>,
    mut commands: Commands,
) {
    if players.is_empty() {
        return;
    }
    waves.seconds_left -= time.delta_secs();
    if waves.queue.is_empty() && monsters.is_empty() && !waves.is_cleared {
        waves.is_cleared = true;
        waves.seconds_left = BREAK_SECONDS;
    }
    let alive = monsters.iter().len();
    let is_full = waves
        .lesson()
        .is_some_and(|lesson| alive >= lesson.at_once * player_count.0);
    if waves.seconds_left > 0.0 || is_full {
        return;
    }
    if let Some(kind) = waves.queue.pop() {
        let position = find_position(kind.traits().radius, &players, &hazards, &field, &mut dice);
        commands.spawn(Portal::to(kind, position, waves.fury()));
        let seconds = waves.wave().map_or(0.0, |wave| wave.seconds);
        waves.seconds_left = seconds / (waves.growth() * player_count.0 as f32);
    } else if waves.is_cleared {
        waves.begin_next(player_count.0, &mut dice);
        commands.run_system_cached(player::call_players);
    }
}

/// A random position with room for a monster, away from players and hazards.
fn find_position(
    radius: f32,
    players: &Query<&Transform, With<Player>>,
    hazards: &Query<&Hazard>,
    field: &FlowField,
    dice: &mut Dice,
) -> Vec2 {
    let mut position = Vec2::ZERO;
    for _ in 0..64 {
        position = (Vec2::new(dice.f32(), dice.f32()) * 2.0 - 1.0) * HALF_SIZE;
        let is_fair = players
            .iter()
            .all(|player| player.translation.truncate().distance(position) > FAIR_DISTANCE);
        let is_safe = !hazards.iter().any(|hazard| hazard.area.contains(position));
        if is_fair && is_safe && field.is_reachable(position) && field.has_room(position, radius) {
            break;
        }
    }
    position
}
