//! What is asked, and the answers.

use std::{
    f32::consts::TAU,
    time::{Duration, Instant},
};

use bevy::{ecs::system::SystemId, prelude::*};

use crate::scenes::among_walls;

/// How many questions there are of each kind: too many to be learnt by heart by a processor that guesses branches.
pub const QUESTIONS: usize = 100_000;
/// How far rays and circles go, in world units.
pub const FAR: f32 = 500.0;

/// How often each question is asked in a round.
const TURNS: usize = 5;
/// All of one kind are asked only once, if they take longer than this: no noise is as long.
const LONG: Duration = Duration::from_secs(1);

/// What there is to know.
#[derive(Clone, Copy)]
pub enum Kind {
    /// What a ray hits first, and where.
    Ray,
    /// All that a point is inside of.
    Point,
    /// What is nearest to a point, with its closest point.
    Nearest,
    /// What a moving circle hits first, and where.
    Cast,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Ray, Self::Point, Self::Nearest, Self::Cast];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ray => "a ray of 500 units",
            Self::Point => "what is at a point",
            Self::Nearest => "what is nearest",
            Self::Cast => "a circle cast 500 units",
        }
    }
}

/// A question of any kind: about where it is, or about the way from there.
pub struct Question {
    /// In the world.
    pub position: Vec2,
    /// Where a ray or a circle goes.
    pub direction: Dir2,
}

/// What is kept of an answer, to compare it.
pub struct Answer {
    /// Whether anything was hit, or is at the point. Of what is nearest: whether the point is inside of it.
    yes: bool,
    /// How far that is, in world units, and not less than zero; or how many are at the point.
    amount: f32,
}

impl Answer {
    /// Something was hit after such a way, if anything was.
    pub fn hit(distance: Option<f32>) -> Self {
        Self {
            yes: distance.is_some(),
            amount: distance.unwrap_or_default(),
        }
    }

    /// So many are at the point.
    pub fn count(number: usize) -> Self {
        Self {
            yes: number > 0,
            amount: number as f32,
        }
    }

    /// The point is so far from what is nearest.
    pub fn nearest(is_inside: bool, distance: f32) -> Self {
        Self {
            yes: is_inside,
            amount: if is_inside { 0.0 } else { distance },
        }
    }
}

/// What came of the questions of one kind.
#[derive(Clone, Default)]
pub struct Marks {
    /// For all of them, in each turn. One, if it was a long one.
    pub times: Vec<Duration>,
    /// To how many the answer was yes.
    pub yes: u64,
    /// Of the amounts.
    pub sum: f64,
}

/// The questions, and what came of them.
#[derive(Resource)]
pub struct Exam {
    questions: Vec<Question>,
    marks: [Marks; Kind::ALL.len()],
}

impl Default for Exam {
    /// The same for all engines.
    fn default() -> Self {
        let mut dice = fastrand::Rng::with_seed(QUESTIONS as u64);
        let mut question = || Question {
            position: among_walls::place(&mut dice),
            direction: Rot2::radians(dice.f32() * TAU) * Dir2::X,
        };
        Self {
            questions: (0..QUESTIONS).map(|_| question()).collect(),
            marks: default(),
        }
    }
}

impl Exam {
    /// What came of a kind.
    pub fn marks(&self, kind: Kind) -> &Marks {
        &self.marks[kind as usize]
    }

    /// Asks all questions of a kind, one after another.
    pub fn ask(&mut self, kind: Kind, mut answer: impl FnMut(&Question) -> Answer) {
        let marks = &mut self.marks[kind as usize];
        if marks.times.first().is_some_and(|&time| time > LONG) {
            return;
        }
        let (mut yes, mut sum) = (0, 0.0);
        let start = Instant::now();
        for question in &self.questions {
            let answer = answer(question);
            yes += u64::from(answer.yes);
            sum += f64::from(answer.amount);
        }
        marks.times.push(start.elapsed());
        (marks.yes, marks.sum) = (yes, sum);
    }
}

/// The system that asks an engine.
#[derive(Resource)]
struct Asking(SystemId);

/// Prepares an app for a system that asks all kinds of questions.
pub fn install<M>(app: &mut App, ask: impl IntoSystem<(), (), M> + 'static) {
    let ask = app.register_system(ask);
    app.insert_resource(Asking(ask)).init_resource::<Exam>();
}

/// Asks all of them, on this thread.
pub fn hold(app: &mut App) -> Option<Exam> {
    let world = app.world_mut();
    let ask = world.get_resource::<Asking>()?.0;
    for _ in 0..TURNS {
        world.run_system(ask).ok()?;
    }
    world.remove_resource()
}
