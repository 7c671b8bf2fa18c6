//! The set of queries, and its results.

use std::{
    f32::consts::TAU,
    time::{Duration, Instant},
};

use bevy::{ecs::system::SystemId, prelude::*};

use crate::scenes::among_walls;

/// The number of inputs of each query: too many for the branch predictor of a processor to learn.
pub const INPUTS: usize = 100_000;
/// The maximum distance of rays and circle casts, in world units.
pub const MAX_DISTANCE: f32 = 500.0;

/// The number of passes over all inputs in a round.
const PASSES: usize = 5;
/// A pass that takes longer than this is not repeated, since the noise is comparatively small.
const LONG_PASS: Duration = Duration::from_secs(1);

/// A kind of query.
#[derive(Clone, Copy)]
pub enum QueryKind {
    /// The first hit of a ray.
    Ray,
    /// All colliders that contain a point.
    Point,
    /// The collider nearest to a point, and its closest point.
    Nearest,
    /// The first hit of a circle cast.
    Cast,
}

impl QueryKind {
    /// All kinds, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Ray, Self::Point, Self::Nearest, Self::Cast];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ray => "ray, 500 units",
            Self::Point => "point",
            Self::Nearest => "nearest collider",
            Self::Cast => "circle cast, 500 units",
        }
    }
}

/// The input of a query of any kind.
pub struct QueryInput {
    /// In the world.
    pub position: Vec2,
    /// The direction of a ray or a circle cast.
    pub direction: Dir2,
}

/// The part of a query result that is compared between engines.
pub struct QueryResult {
    /// Whether a ray or a circle hits a collider, or whether the point is inside of a collider.
    is_hit: bool,
    /// The distance in world units, at least zero; of point queries the number of colliders.
    value: f32,
}

impl QueryResult {
    /// The result of a ray or a circle cast: the distance to the hit, if any.
    pub fn hit(distance: Option<f32>) -> Self {
        Self {
            is_hit: distance.is_some(),
            value: distance.unwrap_or_default(),
        }
    }

    /// The result of a point query: the number of colliders that contain the point.
    pub fn count(number: usize) -> Self {
        Self {
            is_hit: number > 0,
            value: number as f32,
        }
    }

    /// The result of a search for the nearest collider: the distance to it.
    pub fn nearest(is_inside: bool, distance: f32) -> Self {
        Self {
            is_hit: is_inside,
            value: if is_inside { 0.0 } else { distance },
        }
    }
}

/// The results of all queries of one kind.
#[derive(Clone, Default)]
pub struct QueryTotals {
    /// The duration of each pass. Only one, if it was a long one.
    pub times: Vec<Duration>,
    /// The number of hits.
    pub hits: u64,
    /// The sum of the values.
    pub sum: f64,
}

/// The inputs, and the results of an engine.
#[derive(Resource)]
pub struct QuerySet {
    inputs: Vec<QueryInput>,
    totals: [QueryTotals; QueryKind::ALL.len()],
}

impl Default for QuerySet {
    /// The same inputs for all engines.
    fn default() -> Self {
        let mut rng = fastrand::Rng::with_seed(INPUTS as u64);
        let mut input = || QueryInput {
            position: among_walls::random_position(&mut rng),
            direction: Rot2::radians(rng.f32() * TAU) * Dir2::X,
        };
        Self {
            inputs: (0..INPUTS).map(|_| input()).collect(),
            totals: default(),
        }
    }
}

impl QuerySet {
    /// The results of all queries of a kind.
    pub fn totals(&self, kind: QueryKind) -> &QueryTotals {
        &self.totals[kind as usize]
    }

    /// Makes one pass: runs a query with all inputs in sequence.
    pub fn measure(&mut self, kind: QueryKind, mut query: impl FnMut(&QueryInput) -> QueryResult) {
        let totals = &mut self.totals[kind as usize];
        if totals.times.first().is_some_and(|&time| time > LONG_PASS) {
            return;
        }
        let (mut hits, mut sum) = (0, 0.0);
        let start = Instant::now();
        for input in &self.inputs {
            let result = query(input);
            hits += u64::from(result.is_hit);
            sum += f64::from(result.value);
        }
        totals.times.push(start.elapsed());
        (totals.hits, totals.sum) = (hits, sum);
    }
}

/// The system of an engine that makes one pass of each kind.
#[derive(Resource)]
struct PassSystem(SystemId);

/// Adds the queries to an app, and the system of the engine that makes one pass of each kind.
pub fn install<M>(app: &mut App, run_pass: impl IntoSystem<(), (), M> + 'static) {
    let run_pass = app.register_system(run_pass);
    app.insert_resource(PassSystem(run_pass))
        .init_resource::<QuerySet>();
}

/// Makes all passes, on this thread.
pub fn run(app: &mut App) -> Option<QuerySet> {
    let world = app.world_mut();
    let run_pass = world.get_resource::<PassSystem>()?.0;
    for _ in 0..PASSES {
        world.run_system(run_pass).ok()?;
    }
    world.remove_resource()
}
