//! Every public function of the geometry.

use std::time::{Duration, Instant};

use bevy::math::Vec2;
use bevy_thud::geometry::{
    CastHit, Contact, Separation, Shape, cast_ray, cast_shape, contact, contact_within,
    contains_point, separation,
};
use proptest::{prelude::*, test_runner::TestCaseResult};

use super::{
    bits::{number, sample, vector},
    cases,
};

/// No call takes longer, however busy the machine is.
const TIME_LIMIT: Duration = Duration::from_millis(5);
/// A call that another program interrupted gets this many more tries.
const TRIES: u32 = 5;

/// Calls functions, and checks how long they take.
struct Stopwatch {
    time_limit: Duration,
}

impl Stopwatch {
    fn call<T>(&self, name: &str, mut function: impl FnMut() -> T) -> T {
        for _ in 0..TRIES {
            let start = Instant::now();
            let value = function();
            if start.elapsed() < self.time_limit {
                return value;
            }
        }
        panic!("{name} takes longer than {:?}", self.time_limit);
    }
}

/// What the functions say of two shapes.
#[derive(Debug)]
struct Answers {
    contacts: [Option<Contact>; 3],
    hits: [Option<CastHit>; 2],
    separation: Separation,
    contains: bool,
}

fn ask(
    watch: &Stopwatch,
    (a, b): (&Shape, &Shape),
    [vector, point]: [Vec2; 2],
    margin: f32,
) -> Answers {
    let _ = (a.cell_near(point), a.center(), a.aabb());
    Answers {
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

impl Answers {
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

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn whatever_the_numbers_answers_are_finite_and_soon(
        a in sample(),
        b in sample(),
        vectors in [vector(), vector()],
        margin in number(),
    ) {
        let are_valid = a.is_valid && b.is_valid;
        // What breaks the rules may take its time, but not panic.
        let time_limit = if are_valid { TIME_LIMIT } else { Duration::MAX };
        let watch = Stopwatch { time_limit };
        let answers = ask(&watch, (&a.shape, &b.shape), vectors, margin);
        if are_valid {
            answers.check()?;
            let are_finite = a.shape.is_finite() && b.shape.is_finite();
            let found = answers.contacts.iter().flatten().count() + answers.hits.iter().flatten().count();
            prop_assert!(are_finite || found <= 1, "{answers:?}");
            prop_assert!(!answers.contains || a.shape.is_finite());
        }
    }
}
