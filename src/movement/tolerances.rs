//! The tolerances and limits of movement, each with its unit and its reason.
//!
//! Most are multiples of the skin width (the distance that a mover keeps from what blocks it) or of
//! the mover's size, so that worlds of any scale behave alike.

// ---- Move and slide ----

/// Iterations in which a slide gets no further than its skin before it waits for the next update.
/// One that gets further goes on.
pub(crate) const MAX_STALLED_SLIDES: usize = 128;

/// Iterations of a mover that bounces within one update before it waits for the next.
pub(crate) const MAX_BOUNCES: usize = 1024;

/// The margin around the swept area within which obstacles are searched, in skin widths;
/// `Obstacles::search` doubles it. It is no less than what a sweep asks for (see
/// `MoverPose::contact_distance`) unless walls pushed the mover far.
pub(crate) const SEARCH_MARGIN_SKINS: f32 = 1.5;

/// Motion into a surface of less than this fraction of the skin width, or of rounding, counts as
/// parallel to it: it is what rounding leaves of a slide over flush edges.
pub(crate) const SLOP_SKINS: f32 = 0.01;

/// A slide around a round surface is cut where the surface has receded by this fraction of the
/// mover's size, so that it turns by at most some 0.05 radians at a time. More turns make a
/// smoother path, and take longer.
pub(crate) const SURFACE_RECESSION: f32 = 0.001;

/// The least and the greatest recession at which a slide is cut, in skin widths.
pub(crate) const SURFACE_RECESSION_SKINS: [f32; 2] = [0.1, 0.9];

/// Normals with at least this dot product belong to one contact plane: they are less than a tenth
/// of a degree apart.
pub(crate) const SAME_PLANE_COSINE: f32 = 1.0 - 1e-6;

/// Normals with a smaller dot product are of different faces of a blocker that is not convex: a
/// slide that touches both reports both.
pub(crate) const SAME_FACE_COSINE: f32 = 0.7;

/// The distance that a slide has to get past a seam, in skin widths. In a corner of more than half
/// a degree it does not get that far.
pub(crate) const SEAM_PROBE_SKINS: f32 = 10.0;

/// Fraction intervals that are no further apart than this leave no gap between them: rounding.
pub(crate) const INTERVAL_SLOP: f32 = 1e-6;

/// The least cosine between the displacement and the direction into a surface at which the mover
/// presses against it. A displacement along the surface is not pressing, whatever rounding does to
/// the normal.
pub(crate) const PRESSING_COSINE: f32 = 0.5;

// ---- Lookahead: how far ahead of a fast mover obstacles are searched at a time ----

/// The length of the first window of a path, in sizes of the mover. Most paths are shorter.
pub(crate) const FIRST_WINDOW_SIZES: f32 = 16.0;

/// The least and the greatest length of a window, in sizes of the mover.
pub(crate) const WINDOW_LIMITS_SIZES: [f32; 2] = [1.0, 128.0];

/// With at most this many obstacles near a window the next one is twice as long: another search
/// takes about as long as looking at a few obstacles.
pub(crate) const SPARSE_OBSTACLES: usize = 2;

/// With more obstacles than this near a window the next one is half as long.
pub(crate) const DENSE_OBSTACLES: usize = 8;

/// The least length of a window, as a fraction of the path before it, so that the number of
/// windows is bounded.
pub(crate) const MIN_WINDOW_GROWTH: f64 = 1.0 / 4.0;

// ---- Depenetration ----

/// A mover nearer to a wall than this fraction of its skin width is moved away from it.
pub(crate) const MIN_SKIN_FRACTION: f32 = 0.9;

/// The deepest skin penetration that a sweep allows for, in skin widths: a mover that is nearer is
/// depenetrated when it starts.
pub(crate) const MAX_SKIN_PENETRATION: f32 = 1.0 - MIN_SKIN_FRACTION;

/// Iterations of depenetration with full corrections; as many with half corrections follow.
pub(crate) const MAX_DEPENETRATION_STEPS: usize = 8;

/// An iterative depenetration that is longer than this multiple of the deepest penetration is
/// compared with straight ones.
pub(crate) const DEPENETRATION_DETOUR: f32 = 1.2;

/// Doublings of the margin within which pieces of walls are searched.
pub(crate) const MAX_MARGIN_DOUBLINGS: usize = 32;

/// Directions in which a straight depenetration is tried.
pub(crate) const DEPENETRATION_DIRECTIONS: usize = 64;

/// A mover that is deeper in a wall than this, in sizes of the smaller of the two, may be on any
/// side of it.
pub(crate) const MAX_KNOWN_NORMAL_DEPTH_SIZES: f32 = 0.5;

/// The sine of the angle by which a mover may turn against the side on which it leaves a wall:
/// rounding.
pub(crate) const AGAINST_NORMAL_SLOP: f32 = 1e-3;

// ---- Turns ----

/// How far the farthest point of a mover turns in one step, in sizes of the mover: so little that
/// it does not get past a wall.
pub(super) const TURN_STEP_SIZES: f32 = 0.25;

/// Steps of one turn. A faster mover may get past walls that are thinner than its steps.
pub(super) const MAX_TURN_STEPS: f32 = 64.0;

/// How often the step is halved in which a wall ends a turn.
pub(super) const TURN_BISECTIONS: usize = 6;

// ---- Push by moving walls ----

/// Changes of direction of one push within an update.
pub(crate) const MAX_PUSH_TURNS: usize = 256;

/// Penetration by less than this fraction of a displacement, or of the skin width, is rounding.
pub(crate) const PUSH_SLOP: f32 = 1e-5;

/// The greatest speed of a mover between two closing walls, in speeds of the walls. Walls so
/// parallel that they would squeeze it out faster crush it.
pub(crate) const MAX_SQUEEZE_SPEED: f32 = 30.0;

// ---- Plans and head-on swaps ----

/// Chunks of movers for each thread: more than one, for some chunks take longer than others.
pub(crate) const PLAN_CHUNKS_PER_THREAD: usize = 4;

/// The work of planning one mover, in colliders.
pub(crate) const WORK_PER_MOVER: usize = 8;

/// Rounds of shortening paths: a mover that stops early may be in the path of others. It is enough
/// for any chain of them.
pub(crate) const MAX_SWAP_ROUNDS: usize = 256;

/// Travel within one update that makes a swap possible, in sizes of the mover. Overlaps of slower
/// movers are separated on the right side anyway.
pub(crate) const SWAP_TRAVEL_SIZES: f32 = 0.4;

/// Deeper overlaps, in sizes of the smaller mover, might be separated on the wrong side where
/// others push as well: they count as swaps.
pub(crate) const SWAP_DEPTH_SIZES: f32 = 0.6;

/// Movers that are pushed in a row by one.
pub(super) const MAX_PUSHED_IN_A_ROW: usize = 32;

// ---- Crowds ----

/// Movers that are deeper in each other than this, in sizes of the smaller, do not block each
/// other: however they move, they are separated at the end of the update.
pub(crate) const MAX_BLOCKING_DEPTH_SIZES: f32 = 0.25;

/// Jacobi iterations within one update. What still overlaps is separated in the next.
pub(crate) const CROWD_ITERATIONS: usize = 16;

/// The fraction of its summed corrections by which a body with several of them moves (relaxation):
/// they partly correct the same overlap.
pub(crate) const JACOBI_RELAXATION: f32 = 0.75;

/// How far movers with one center are moved off it, in sizes of the mover: far enough for rounding
/// not to decide where to.
pub(crate) const COINCIDENT_OFFSET_SIZES: f32 = 0.01;

/// The angle between the directions in which they are moved, in radians: no two of any number of
/// multiples are alike.
pub(crate) const GOLDEN_ANGLE: f32 = 2.399_963;

/// How far a mover presses against others in its path, in sizes of the mover. Without it a crowd
/// never gets through a door, in which each waits for the others; with more of it they are pressed
/// into each other.
pub(crate) const PRESSURE_BIAS_SIZES: f32 = 0.015;

/// The distance within which movers make a pair, in sizes of each: others come near only where
/// corrections are large.
pub(crate) const CROWD_MARGIN_SIZES: f32 = 0.05;

/// The distance around a mover within which walls are searched, in sizes of the mover.
pub(crate) const WALL_MARGIN_SIZES: f32 = 0.15;

/// How far beyond an area walls are searched to serve the areas after it, in widths of the area.
pub(crate) const WALL_SEARCH_WIDTHS: f32 = 8.0;

/// More cached walls than this take longer to scan than another search.
pub(crate) const MAX_CACHED_WALLS: usize = 32;
