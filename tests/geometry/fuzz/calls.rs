//! Every public query of the geometry.

use std::time::Duration;

use bevy::math::Vec2;
use bevy_thud::geometry::{
    CastHit, Contact, Separation, Shape, TOUCHING_SLOP, cast_ray, cast_shape, contact,
    contact_within, contains_point, separation,
};
use cpu_time::ThreadTime;
use proptest::{prelude::*, test_runner::TestCaseResult};

use super::bits::{number, sample, vector};
use crate::cases;

/// No call takes longer.
const TIME_LIMIT: Duration = Duration::from_millis(5);
/// The number of attempts: another program may interrupt some of them.
const ATTEMPTS: u32 = 5;

/// The safe range of coordinates, in world units.
const SAFE_EXTENT: f32 = 1e5;

/// Calls functions, and checks how long they take.
#[derive(Clone, Copy)]
pub struct Stopwatch {
    time_limit: Duration,
}

impl Stopwatch {
    /// For valid shapes or for others, which may take longer, but must not panic.
    pub fn of(are_valid: bool) -> Self {
        Self {
            time_limit: if are_valid { TIME_LIMIT } else { Duration::MAX },
        }
    }

    /// For what consists of this many calls.
    pub fn times(self, count: u32) -> Self {
        Self {
            time_limit: self.time_limit.saturating_mul(count),
        }
    }

    pub fn call<T>(&self, name: &str, mut function: impl FnMut() -> T) -> T {
        let mut shortest = Duration::MAX;
        for _ in 0..ATTEMPTS {
            let start = ThreadTime::now();
            let value = function();
            shortest = shortest.min(start.elapsed());
            if shortest <= self.time_limit {
                return value;
            }
        }
        panic!("{name} takes {shortest:?}");
    }
}

/// What the functions return for two shapes.
#[derive(Debug)]
struct Outputs {
    contacts: [Option<Contact>; 3],
    hits: [Option<CastHit>; 2],
    separation: Separation,
    contains: bool,
}

fn call_all(
    watch: &Stopwatch,
    (a, b): (&Shape, &Shape),
    [vector, point]: [Vec2; 2],
    margin: f32,
) -> Outputs {
    let _ = (a.cell_near(point), a.center(), a.aabb());
    Outputs {
        contacts: [
            watch.call("contact", || contact(a, b)),
            watch.call("contact", || contact(b, a)),
            watch.call("contact_within", || contact_within(a, b, margin)),
        ],
        hits: [
            watch.call("cast_shape", || cast_shape(a, vector, b)),
            watch.call("cast_ray", || cast_ray(a, point, vector)),
        ],
        separation: watch.call("separation", || separation(a, b)),
        contains: watch.call("contains_point", || contains_point(a, point)),
    }
}

impl Outputs {
    fn check(&self) -> TestCaseResult {
        for contact in self.contacts.iter().flatten() {
            prop_assert!(
                contact.depth.is_finite() && contact.point.is_finite(),
                "{self:?}"
            );
            prop_assert!(contact.normal.is_normalized(), "{self:?}");
        }
        for hit in self.hits.iter().flatten() {
            prop_assert!((0.0..=1.0).contains(&hit.fraction), "{self:?}");
            prop_assert!(
                hit.point.is_finite() && hit.normal.is_normalized(),
                "{self:?}"
            );
        }
        let separation = &self.separation;
        if separation.distance.is_finite() {
            let are_finite = separation.point_a.is_finite() && separation.point_b.is_finite();
            prop_assert!(are_finite && separation.normal.is_normalized(), "{self:?}");
        } else {
            let nowhere = (separation.distance, separation.normal);
            prop_assert_eq!(nowhere, (f32::INFINITY, Vec2::ZERO), "{:?}", self);
        }
        Ok(())
    }
}

/// Checks that exchanging two shapes within the safe range flips their contact: within rounding for
/// primitives; for others, whether there is one.
fn check_exchanged((a, b): (&Shape, &Shape), [ab, ba]: [Option<Contact>; 2]) -> TestCaseResult {
    let extent = furthest(a).max(furthest(b));
    let rounding = 64.0 * TOUCHING_SLOP * extent;
    match (ab, ba) {
        _ if extent > SAFE_EXTENT => {}
        (Some(ab), Some(ba)) if is_primitive(a) && is_primitive(b) => {
            prop_assert!((ab.depth - ba.depth).abs() <= rounding, "{ab:?} {ba:?}");
        }
        (Some(_), Some(_)) | (None, None) => {}
        (Some(contact), None) | (None, Some(contact)) => {
            prop_assert!(contact.depth <= rounding, "only one way: {contact:?}");
        }
    }
    Ok(())
}

fn is_primitive(shape: &Shape) -> bool {
    !matches!(
        shape,
        Shape::Polygon { .. } | Shape::Tiles { .. } | Shape::Compound { .. }
    )
}

/// The largest coordinate of a shape.
fn furthest(shape: &Shape) -> f32 {
    let aabb = shape.aabb();
    aabb.min.abs().max(aabb.max.abs()).max_element()
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn whatever_the_numbers_outputs_are_finite_and_in_time(
        a in sample(),
        b in sample(),
        vectors in [vector(), vector()],
        margin in number(),
    ) {
        let are_valid = a.is_valid && b.is_valid;
        let watch = Stopwatch::of(are_valid);
        let outputs = call_all(&watch, (&a.shape, &b.shape), vectors, margin);
        if are_valid {
            outputs.check()?;
            let [ab, ba, _] = outputs.contacts;
            check_exchanged((&a.shape, &b.shape), [ab, ba])?;
            let [is_a_finite, is_b_finite] = [&a, &b].map(|sample| sample.shape.is_finite());
            let of_a = outputs.contains || outputs.hits[1].is_some();
            prop_assert!(is_a_finite || !of_a, "{outputs:?}");
            let has_contact = outputs.contacts.iter().any(Option::is_some);
            let of_both = has_contact || outputs.hits[0].is_some();
            prop_assert!((is_a_finite && is_b_finite) || !of_both, "{outputs:?}");
        }
    }
}
