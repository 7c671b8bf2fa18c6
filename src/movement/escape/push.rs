//! Moving walls that push movers before them, at any speed.

use std::cmp::Ordering;

use bevy::math::Vec2;

use crate::{
    aabb::max_distance_from,
    components::{EntityOrder, MoverResponse},
    events::BlockingHit,
    geometry::{Shape, bounce_off, cast_with_margin, separation, surface_point, touching_slop},
    index::ColliderIndex,
    movement::{
        body::{Motion, size_of},
        obstacles::{
            Blockers, Lookahead, MoverPose, Obstacle, Obstacles, near_interval, swept_box,
        },
        tolerances::{
            MAX_PUSH_TURNS, MAX_SQUEEZE_SPEED, MAX_TURN_STEPS, PUSH_SLOP, TURN_STEP_SIZES,
        },
        world_order::by_world,
    },
};

/// A wall that a mover touches while it is pushed.
#[derive(Clone)]
struct KinematicContact {
    order: EntityOrder,
    slot: u32,
    /// The number of the convex piece of the mover that touches it.
    piece: usize,
    /// The shape of the wall at the end of the step.
    shape: Shape,
    /// The displacement of the wall in the whole step, in world units.
    delta: Vec2,
    /// Out of the wall, unit length.
    normal: Vec2,
    /// The velocity of the wall's surface where the mover touches it, in world units per second.
    velocity: Vec2,
}

/// The push of a mover by walls.
#[derive(Clone, Copy, Default)]
pub(crate) struct Push {
    /// The displacement of the mover, in world units.
    pub displacement: Vec2,
    /// Whether the walls leave no room for the mover.
    pub is_crushed: bool,
    /// The velocity of a mover that bounced off the walls, in world units per second.
    pub bounced: Option<Vec2>,
}

/// Buffers of [`push`], kept so that pushes allocate nothing. Their contents mean nothing between
/// calls.
#[derive(Default)]
pub(crate) struct PushBuffers {
    obstacles: Obstacles,
    contacts: Vec<KinematicContact>,
}

/// A mover while it is pushed.
struct PushedMover<'a> {
    pose: &'a MoverPose,
    /// Its shape where it was when the step began.
    start: &'a Shape,
    /// The duration of the step, in seconds.
    seconds: f32,
    /// The fraction of the step that is left.
    remaining: f32,
    /// Its displacement of a whole step at its current velocity.
    full_displacement: Vec2,
}

/// The window of a pushed mover's path in which a sweep begins.
struct PushWindow<'a> {
    lookahead: &'a mut Lookahead,
    /// The fraction of the displacement up to which obstacles were searched.
    end: f64,
    /// The fraction at which the search ends.
    max_fraction: f32,
}

/// Displaces the mover by walls that moved since the last update, before its own motion. Takes the
/// smallest displacement that enters no wall, moving or not. Walls that already overlap the mover
/// do not push. What turns does so in steps that are too small to get past the mover.
///
/// `path` receives the offsets from the start at which the mover changes direction, and its end;
/// `hits` the walls that push it, or those that crush it.
pub(crate) fn push(
    blockers: &Blockers,
    motion: &Motion,
    buffers: &mut PushBuffers,
    path: &mut Vec<Vec2>,
    hits: &mut Vec<BlockingHit>,
) -> Push {
    path.clear();
    hits.clear();
    let obstacles = &mut buffers.obstacles;
    obstacles.clear();
    obstacles.search(blockers, &motion.shape.aabb(), motion.skin);
    let steps = (obstacles.walls())
        .map(|wall| steps_of(wall, motion.shape))
        .fold(1.0, f32::max);
    let mut push = Push::default();
    for step in 0..steps as u16 {
        if steps > 1.0 {
            buffers.obstacles.clear();
        }
        let step = f32::from(step);
        let blockers = Blockers {
            during: [step / steps, (step + 1.0) / steps],
            ..*blockers
        };
        push_in_step(&blockers, motion, buffers, &mut push, path, hits);
        if push.is_crushed {
            break;
        }
    }
    push
}

/// In how many steps a wall turns, next to a mover.
fn steps_of(wall: &Obstacle, mover: &Shape) -> f32 {
    if wall.motion.turn == 0.0 {
        return 1.0;
    }
    let radius = max_distance_from(wall.motion.center, &mover.aabb());
    let step = (TURN_STEP_SIZES * size_of(mover)).max(f32::MIN_POSITIVE);
    (wall.motion.max_deviation(radius) / step)
        .ceil()
        .min(MAX_TURN_STEPS)
}

/// Adds to `push` what the walls push in the step in which the blockers move.
fn push_in_step(
    blockers: &Blockers,
    motion: &Motion,
    PushBuffers {
        obstacles,
        contacts,
    }: &mut PushBuffers,
    push: &mut Push,
    path: &mut Vec<Vec2>,
    hits: &mut Vec<BlockingHit>,
) {
    contacts.clear();
    let start = motion.shape.translated(push.displacement);
    let [from, to] = blockers.during;
    let (mut remaining, mut full_displacement) = (1.0, Vec2::ZERO);
    let mut lookahead = Lookahead::of(motion.shape, motion.skin);
    for _ in 0..MAX_PUSH_TURNS {
        let pose = MoverPose::new(motion, push.displacement);
        let displacement = full_displacement * remaining;
        let mover = PushedMover {
            pose: &pose,
            start: &start,
            seconds: motion.seconds * (to - from),
            remaining,
            full_displacement,
        };
        let end = lookahead.end_of_window(displacement, 0.0);
        let area = swept_box(&pose.shape, displacement, [0.0, end]);
        obstacles.search(blockers, &area, motion.skin);
        let is_at_rest = full_displacement == Vec2::ZERO;
        if is_at_rest && !obstacles.walls().any(|wall| wall.motion.is_any()) {
            break;
        }
        let contact_end = (contacts.iter())
            .map(|contact| mover.contact_end_fraction(contact))
            .fold(1.0, f32::min);
        let window = PushWindow {
            lookahead: &mut lookahead,
            end,
            max_fraction: contact_end,
        };
        let hit = first_contact_ahead(blockers, motion, &mover, window, obstacles);
        let fraction =
            (hit.as_ref()).map_or(contact_end, |(fraction, _)| fraction.min(contact_end));
        if displacement != Vec2::ZERO {
            push.displacement += displacement * fraction;
            path.push(push.displacement);
        }
        remaining -= remaining * fraction;
        if fraction >= 1.0 {
            break;
        }
        let distance = displacement.length() * fraction;
        if distance > PUSH_SLOP * motion.skin || contact_end <= fraction {
            contacts.clear();
        }
        let hit = hit.filter(|(hit_fraction, _)| *hit_fraction <= fraction);
        if let Some((_, contact)) = hit {
            push.bounce(&contact, motion);
            let fraction = to - remaining * (to - from);
            record_contact(
                hits,
                blockers.index,
                &contact,
                Some(motion),
                &pose.shape,
                fraction,
            );
            contacts.push(contact);
        }
        let Some(next) = least_displacement(contacts) else {
            push.is_crushed = true;
            // What moved is named as the crusher.
            contacts.sort_by_key(|contact| contact.delta == Vec2::ZERO);
            hits.clear();
            for contact in &*contacts {
                record_contact(hits, blockers.index, contact, None, &pose.shape, 0.0);
            }
            break;
        };
        full_displacement = next;
    }
}

/// Finds the wall that a pushed mover hits first, with the fraction of its displacement, window by
/// window.
fn first_contact_ahead(
    blockers: &Blockers,
    motion: &Motion,
    mover: &PushedMover,
    window: PushWindow,
    obstacles: &mut Obstacles,
) -> Option<(f32, KinematicContact)> {
    let PushWindow {
        lookahead,
        mut end,
        max_fraction,
    } = window;
    let displacement = mover.full_displacement * mover.remaining;
    loop {
        let hit = mover.first_contact(motion, obstacles.walls());
        let hit = hit.filter(|(fraction, _)| f64::from(*fraction) <= end);
        let free_distance = (hit.as_ref()).map(|(fraction, _)| displacement.length() * fraction);
        lookahead.adapt(obstacles.all.len(), free_distance);
        if hit.is_some() || end >= max_fraction.into() {
            return hit;
        }
        let start = end;
        end = lookahead.end_of_window(displacement, start);
        let area = swept_box(&mover.pose.shape, displacement, [start, end]);
        obstacles.search(blockers, &area, motion.skin);
    }
}

/// Records a wall that a mover touches while it is pushed, if it is not known. Its speed is that of
/// the `motion`.
fn record_contact(
    hits: &mut Vec<BlockingHit>,
    index: &ColliderIndex,
    contact: &KinematicContact,
    motion: Option<&Motion>,
    mover: &Shape,
    fraction: f32,
) {
    let entity = contact.order.entity;
    if hits.iter().any(|hit| hit.blocker == entity) {
        return;
    }
    let point = separation(mover, &contact.shape).point_b;
    let own = motion.map_or(Vec2::ZERO, |motion| motion.desired.per_second);
    hits.push(BlockingHit {
        fraction,
        speed: (-own.dot(contact.normal)).clamp(0.0, f32::MAX),
        ..BlockingHit::at(index, entity, contact.slot, point, contact.normal)
    });
}

impl Push {
    /// Bounces off a wall, relative to it, if the mover bounces.
    fn bounce(&mut self, contact: &KinematicContact, motion: &Motion) {
        if motion.response == MoverResponse::Bounce {
            let velocity = self.bounced.unwrap_or(motion.desired.per_second);
            let relative = velocity - contact.velocity;
            let bounced = bounce_off(relative, contact.normal, motion.restitution);
            self.bounced = Some(contact.velocity + bounced);
        }
    }
}

impl KinematicContact {
    /// The displacement of the wall along its normal, in world units.
    fn normal_displacement(&self) -> f32 {
        self.delta.dot(self.normal)
    }

    /// Whether a mover with this displacement of a whole update enters the wall.
    fn is_entered(&self, full_displacement: Vec2) -> bool {
        let slop = PUSH_SLOP * (self.delta.length() + full_displacement.length());
        full_displacement.dot(self.normal) < self.normal_displacement() - slop
    }
}

impl PushedMover<'_> {
    /// The fraction of its displacement at which the mover loses contact with a wall.
    fn contact_end_fraction(&self, contact: &KinematicContact) -> f32 {
        let wall = contact.shape.translated(-contact.delta * self.remaining);
        let relative = (contact.delta - self.full_displacement) * self.remaining;
        let mut end = 0.0;
        self.visit_pieces(|number, piece| {
            if number == contact.piece {
                let near = near_interval(&wall, relative, piece, self.pose.contact_distance);
                end = near.map_or(0.0, |[_, end]| end);
            }
        });
        end
    }

    /// Visits the convex pieces of the mover, with their numbers.
    fn visit_pieces(&self, mut visit: impl FnMut(usize, &Shape)) {
        let mut number = 0;
        let shape = &self.pose.shape;
        shape.visit_convex_pieces(&shape.aabb(), &mut |piece| {
            visit(number, piece);
            number += 1;
        });
    }

    /// The wall that the mover hits first, and at which fraction of its displacement.
    fn first_contact<'a>(
        &self,
        motion: &Motion,
        walls: impl Iterator<Item = &'a Obstacle>,
    ) -> Option<(f32, KinematicContact)> {
        walls
            .filter_map(|wall| self.contact_with(motion, wall))
            .min_by(by_fraction)
    }

    /// The translation that does to the mover what the motion of a wall does in this step, given
    /// the wall before it, and the displacement of the wall's surface, in world units. A wall that
    /// turns moves as its surface does where it is nearest; one that is tilted into the mover comes
    /// from farther away.
    fn delta_of(&self, wall: &Obstacle, before: &Shape, skin: f32) -> [Vec2; 2] {
        if wall.motion.turn == 0.0 {
            return [wall.motion.delta; 2];
        }
        let gap = separation(self.start, before);
        let surface = wall.motion.delta_of(gap.point_b);
        let tilted = separation(self.start, &wall.shape.translated(-surface));
        let missing = gap.distance.min(skin) - tilted.distance;
        [surface - tilted.normal * missing.max(0.0), surface]
    }

    fn contact_with(&self, motion: &Motion, wall: &Obstacle) -> Option<(f32, KinematicContact)> {
        let Self {
            remaining,
            full_displacement,
            ..
        } = *self;
        if !wall.motion.is_any() && full_displacement == Vec2::ZERO {
            return None;
        }
        let start = wall.motion.before(&wall.shape);
        let surface = surface_point(self.start, &start)?;
        if surface.distance < -touching_slop(self.start, &start) {
            return None;
        }
        let [delta, surface_delta] = self.delta_of(wall, &start, motion.skin);
        let now = wall.shape.translated(-delta * remaining);
        let relative = (delta - full_displacement) * remaining;
        let mut first: Option<(f32, KinematicContact)> = None;
        self.visit_pieces(|number, piece| {
            let Some(hit) = cast_with_margin(&now, relative, piece, motion.skin) else {
                return;
            };
            let contact = KinematicContact {
                order: wall.order,
                slot: wall.slot,
                piece: number,
                shape: wall.shape.clone(),
                delta,
                normal: -hit.normal,
                velocity: surface_delta / self.seconds,
            };
            let is_hit = wall.blocks(contact.normal, full_displacement - delta)
                && contact.is_entered(full_displacement);
            let hit = is_hit.then_some((hit.fraction as f32, contact));
            first = first.take().into_iter().chain(hit).min_by(by_fraction);
        });
        first
    }
}

/// Earlier contacts first, ties broken independently of slots.
fn by_fraction(
    (p_fraction, p): &(f32, KinematicContact),
    (q_fraction, q): &(f32, KinematicContact),
) -> Ordering {
    (p_fraction.total_cmp(q_fraction))
        .then(p.normal.x.total_cmp(&q.normal.x))
        .then(p.normal.y.total_cmp(&q.normal.y))
        .then(p.delta.x.total_cmp(&q.delta.x))
        .then(p.delta.y.total_cmp(&q.delta.y))
        .then_with(|| by_world(&p.shape, &q.shape))
        .then(p.order.cmp(&q.order))
}

/// The shortest displacement that enters none of the walls, or `None` if there is no room between
/// them.
fn least_displacement(contacts: &[KinematicContact]) -> Option<Vec2> {
    let along_normals =
        (contacts.iter()).map(|contact| contact.normal * contact.normal_displacement());
    let between_two = contacts.iter().enumerate().flat_map(|(index, p)| {
        contacts[..index].iter().map(move |q| {
            let along = q.normal * p.normal_displacement() - p.normal * q.normal_displacement();
            -along.perp() / p.normal.perp_dot(q.normal)
        })
    });
    let fastest = (contacts.iter())
        .map(|contact| contact.delta.length())
        .fold(0.0, f32::max);
    let is_possible = |displacement: &Vec2| {
        displacement.length() <= MAX_SQUEEZE_SPEED * fastest
            && !(contacts.iter()).any(|contact| contact.is_entered(*displacement))
    };
    std::iter::once(Vec2::ZERO)
        .chain(along_normals)
        .chain(between_two)
        .filter(is_possible)
        .min_by(|p, q| p.length_squared().total_cmp(&q.length_squared()))
}
