//! The tolerances and limits of movement, each with its unit and its reason.
//!
//! Three lengths are given; all others are multiples of them, so that worlds of any scale behave
//! alike:
//!
//! - the rounding of coordinates, [`TOUCHING_SLOP`](crate::geometry::TOUCHING_SLOP) times the
//!   largest of them: what is less cannot be told apart;
//! - the skin width of a mover, the distance that it keeps from what blocks it (`_SKINS`): the room
//!   in which rounding, contacts and sweeps may differ without an overlap;
//! - its size, the shorter side of its box (`_SIZES`): what moves less is seen in time, what moves
//!   more may get past. Where it is to be seen whole, the longer side, its extent (`_EXTENTS`).
//!
//! Their order matters more than their values, and the compiler checks it.

const _: () = assert!(
    SLOP_SKINS < MAX_SKIN_PENETRATION
        && MAX_SKIN_PENETRATION < SURFACE_RECESSION_SKINS[1]
        && SURFACE_RECESSION_SKINS[1] < 1.0
        && 1.0 < SEARCH_MARGIN_SKINS
        && SEARCH_MARGIN_SKINS < SEAM_PROBE_SKINS,
    "what counts as parallel or near is finer than the skin, and searches go beyond it"
);

const _: () = assert!(
    COINCIDENT_OFFSET_SIZES < PRESSURE_BIAS_SIZES
        && PRESSURE_BIAS_SIZES < CROWD_MARGIN_SIZES
        && CROWD_MARGIN_SIZES < WALL_MARGIN_SIZES
        && WALL_MARGIN_SIZES < MAX_BLOCKING_DEPTH_SIZES
        && MAX_BLOCKING_DEPTH_SIZES < SWAP_TRAVEL_SIZES
        && SWAP_TRAVEL_SIZES < SWAP_DEPTH_SIZES,
    "what separates movers is seen in time, and is less than what gets past another one"
);

// ---- Move and slide ----

/// Iterations in a row without progress beyond the skin width, after which a slide ends.
pub(crate) const MAX_STALLED_SLIDES: usize = 128;

/// Iterations of a mover that bounces within one update before it waits for the next.
pub(crate) const MAX_BOUNCES: usize = 1024;

/// The margin around the swept area within which obstacles are searched, in skin widths;
/// `Obstacles::search` doubles it. It covers what a sweep needs (see `MoverPose::contact_distance`)
/// unless walls pushed the mover far.
pub(crate) const SEARCH_MARGIN_SKINS: f32 = 1.5;

/// Motion into a surface by less than this fraction of the skin width, or by less than rounding,
/// counts as parallel to it. A slide over flush edges has that much.
pub(crate) const SLOP_SKINS: f32 = 0.01;

/// Where a mover is nearer to an obstacle than its skin, a motion is along the obstacle up to this
/// sine of the angle into it. More would enter the skin a little in each update, until the mover is
/// moved out again.
pub(crate) const PARALLEL_SINE: f32 = 0.01;

/// A slide around a round surface is cut where the surface has receded by this fraction of half the
/// mover's extent, so that it turns by at most about 0.05 radians at a time. A smaller fraction
/// makes a smoother path, but takes longer.
pub(crate) const SURFACE_RECESSION: f32 = 0.001;

/// The least and the greatest recession at which a slide is cut, in skin widths.
pub(crate) const SURFACE_RECESSION_SKINS: [f32; 2] = [0.1, 0.9];

/// Normals with at least this dot product belong to one contact plane: they are less than a tenth
/// of a degree apart.
pub(crate) const SAME_PLANE_COSINE: f32 = 1.0 - 1e-6;

/// Normals with a smaller dot product belong to different faces of a blocker that is not convex: a
/// slide that touches both reports both.
pub(crate) const SAME_FACE_COSINE: f32 = 0.7;

/// The distance that a slide has to get past a seam to be open, in skin widths. In a corner of more
/// than half a degree it does not get that far.
pub(crate) const SEAM_PROBE_SKINS: f32 = 10.0;

/// Intervals of fractions that are this close together count as joined: the gap is rounding.
pub(crate) const INTERVAL_SLOP: f32 = 1e-6;

/// The least cosine between the displacement and the direction into a surface at which the mover
/// presses against it. It is large, so that rounding of the normal cannot turn a displacement along
/// the surface into pressing.
pub(crate) const PRESSING_COSINE: f32 = 0.5;

// ---- Lookahead: how far ahead of a fast mover obstacles are searched at a time ----

/// The length of the first window of a path, in extents of the mover. Most paths are shorter.
pub(crate) const FIRST_WINDOW_EXTENTS: f32 = 16.0;

/// The least and the greatest length of a window, in extents of the mover.
pub(crate) const WINDOW_LIMITS_EXTENTS: [f32; 2] = [1.0, 128.0];

/// With at most this many obstacles near a window, the next one is twice as long: another search
/// takes about as long as testing a few obstacles.
pub(crate) const SPARSE_OBSTACLES: usize = 2;

/// With more obstacles than this near a window the next one is half as long.
pub(crate) const DENSE_OBSTACLES: usize = 8;

/// The least length of a window, as a fraction of the path before it, so that the number of
/// windows is bounded.
pub(crate) const MIN_WINDOW_GROWTH: f64 = 1.0 / 4.0;

// ---- Depenetration ----

/// A mover nearer to a wall than this fraction of its skin width is moved away from it.
pub(crate) const MIN_SKIN_FRACTION: f32 = 0.9;

/// The deepest skin penetration that a sweep tolerates, in skin widths: a mover that is nearer is
/// depenetrated before it moves.
pub(crate) const MAX_SKIN_PENETRATION: f32 = 1.0 - MIN_SKIN_FRACTION;

/// Iterations of depenetration with full corrections; as many with half corrections follow.
pub(crate) const MAX_DEPENETRATION_STEPS: usize = 8;

/// An iterative depenetration longer than this multiple of the deepest penetration is compared with
/// straight ones.
pub(crate) const DEPENETRATION_DETOUR: f32 = 1.2;

/// Doublings of the margin of the search for pieces of walls.
pub(crate) const MAX_MARGIN_DOUBLINGS: usize = 32;

/// Directions in which a straight depenetration is tried.
pub(crate) const DEPENETRATION_DIRECTIONS: usize = 64;

/// A mover deeper in a wall than this, in sizes of the smaller one, may have come from any side.
pub(crate) const MAX_KNOWN_NORMAL_DEPTH_SIZES: f32 = 0.5;

/// The sine of the angle by which a displacement may point against a normal: rounding.
pub(crate) const AGAINST_NORMAL_SLOP: f32 = 1e-3;

// ---- Walkers ----

/// A round walker that climbs a step stops where the normal at the step's edge becomes that of a
/// floor: at this fraction of the sine of the steepest floor. At more, it would slide down again.
pub(crate) const WITHIN_SLOPE: f32 = 0.98;

/// Floors whose normals differ by less, along `up`, are equally flat: rounding. With less, a walker
/// on two tiles would stand now on one, now on the other.
pub(crate) const EQUALLY_FLAT: f32 = 1e-4;

/// The edges that one corner correction passes: a ceiling may consist of many tiles.
pub(crate) const MAX_CORNERS: usize = 16;

// ---- Turns ----

/// How far the farthest point of a mover turns in one step, in sizes of the mover: too little to
/// get past a wall.
pub(super) const TURN_STEP_SIZES: f32 = 0.25;

/// Steps of one turn. A faster mover may get past walls that are thinner than its steps.
pub(super) const MAX_TURN_STEPS: f32 = 64.0;

/// The room that is left at the farthest point of a blocked turn, in skin widths.
pub(super) const TURN_MARGIN_SKINS: f32 = 0.25;

/// Iterations of depenetration that a turn may need: enough for a corner and for a corridor.
pub(super) const TURN_DEPENETRATION_STEPS: usize = 3;

/// How often the last step of a blocked turn is halved, at most: until it is shorter than the skin.
pub(super) const MAX_TURN_BISECTIONS: u16 = 6;

// ---- Push by moving walls ----

/// Changes of direction of one push within an update.
pub(crate) const MAX_PUSH_TURNS: usize = 256;

/// Penetration by less than this fraction of a displacement, or of the skin width, is rounding.
pub(crate) const PUSH_SLOP: f32 = 1e-5;

/// The greatest speed of a mover between two closing walls, in speeds of the walls. Walls so
/// parallel that they would squeeze it out faster crush it.
pub(crate) const MAX_SQUEEZE_SPEED: f32 = 30.0;

// ---- Plans and head-on swaps ----

/// Chunks of movers per thread: more than one, because some chunks take longer than others.
pub(crate) const PLAN_CHUNKS_PER_THREAD: usize = 4;

/// The work of planning one mover, in items of `parallel::threads_for`.
pub(crate) const WORK_PER_MOVER: usize = 8;

/// Rounds of shortening paths: a mover that stops early may be in the path of others. Enough for
/// long chains of them.
pub(crate) const MAX_SWAP_ROUNDS: usize = 256;

/// The least travel within one update that makes a swap possible, in sizes of the mover. Overlaps
/// of slower movers are separated on the right side anyway.
pub(crate) const SWAP_TRAVEL_SIZES: f32 = 0.4;

/// Deeper overlaps, in sizes of the smaller mover, count as swaps, because they might be separated
/// on the wrong side where others push as well.
pub(crate) const SWAP_DEPTH_SIZES: f32 = 0.6;

/// The largest number of movers that one mover pushes in a row.
pub(super) const MAX_PUSHED_IN_A_ROW: usize = 32;

/// How far beyond the boundary of a half-plane a point counts as inside, relative to the lengths.
pub(super) const HALF_PLANE_SLOP: f32 = 1e-5;

// ---- Crowds ----

/// Movers that are deeper in each other than this, in sizes of the smaller, do not block each
/// other: however they move, they are separated at the end of the update.
pub(crate) const MAX_BLOCKING_DEPTH_SIZES: f32 = 0.25;

/// A mover is crushed only by what it gives way to by at least this share of the overlap. With
/// less, a light mover would crush a heavy one.
pub(crate) const MIN_CRUSHED_SHARE: f32 = 0.5;

/// Jacobi iterations within one update. What still overlaps is separated in the next.
pub(crate) const CROWD_ITERATIONS: usize = 16;

/// The fraction of its summed corrections by which a body with several of them moves (relaxation),
/// because they partly correct the same overlap.
pub(crate) const JACOBI_RELAXATION: f32 = 0.75;

/// How far movers with one center are moved off it, in sizes of the mover: farther than rounding.
pub(crate) const COINCIDENT_OFFSET_SIZES: f32 = 0.01;

/// The angle between the directions of these offsets, in radians. No two multiples of it coincide.
pub(crate) const GOLDEN_ANGLE: f32 = 2.399_963;

/// How far a mover presses against others in its path, in sizes of the mover. Without it, a crowd
/// never gets through a door, because each waits for the others; with more, they are pressed into
/// each other.
pub(crate) const PRESSURE_BIAS_SIZES: f32 = 0.015;

/// The distance within which movers make a pair, in sizes of each. Others come near only if
/// corrections are large.
pub(crate) const CROWD_MARGIN_SIZES: f32 = 0.05;

/// The distance around a mover within which walls are searched, in sizes of the mover.
pub(crate) const WALL_MARGIN_SIZES: f32 = 0.15;

/// How far beyond an area walls are searched to serve the areas after it, in widths of the area.
pub(crate) const WALL_SEARCH_WIDTHS: f32 = 8.0;

/// More cached walls than this take longer to scan than another search.
pub(crate) const MAX_CACHED_WALLS: usize = 32;
