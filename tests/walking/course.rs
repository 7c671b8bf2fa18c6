//! A world with walls, and a walker that a game moves: gravity, a speed, and jumps.

use std::{f32::consts::TAU, time::Duration};

use bevy::{
    ecs::{schedule::SingleThreadedExecutor, system::RunSystemOnce},
    math::ops,
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_thud::{MoveOutcome, prelude::*};

use crate::long::is_long;

/// In world units per second squared.
pub const GRAVITY: f32 = 900.0;

/// A world with one walker.
pub struct Course {
    pub app: App,
    pub walker: Entity,
    /// The duration of an update, in seconds.
    pub seconds: f32,
    /// What the walker wants along the horizon, in world units per second.
    pub speed: f32,
    pub gravity: f32,
    /// Since the start.
    pub landed: Vec<Landed>,
    pub left: Vec<LeftFloor>,
}

pub fn square(size: f32) -> Shape {
    Shape::rect(Vec2::ZERO, Vec2::splat(size), Rot2::IDENTITY)
}

/// The kinds of walkers that tests try: all 12 wide, with their feet 6 below their centers, or the
/// capsule 12.
pub fn bodies() -> [(&'static str, Shape); 8] {
    let polygon = |vertices: &[[f32; 2]]| {
        let vertices = vertices.iter().copied().map(Vec2::from);
        Shape::polygon(vertices).unwrap()
    };
    let house = [
        [-6.0, -6.0],
        [6.0, -6.0],
        [6.0, 4.0],
        [0.0, 8.0],
        [-6.0, 4.0],
    ];
    let one_chamfer = [
        [-6.0, -6.0],
        [2.0, -6.0],
        [6.0, -1.0],
        [6.0, 6.0],
        [-6.0, 6.0],
    ];
    let two_chamfers = [
        [-3.0, -6.0],
        [3.0, -6.0],
        [6.0, 0.0],
        [6.0, 6.0],
        [-6.0, 6.0],
        [-6.0, 0.0],
    ];
    [
        ("circle", Shape::circle(Vec2::ZERO, 6.0)),
        ("box", square(12.0)),
        ("polygon", polygon(&house)),
        (
            "capsule",
            Shape::capsule(Vec2::new(0.0, 0.0), Vec2::new(0.0, 6.0), 6.0),
        ),
        ("box with a chamfer", polygon(&one_chamfer)),
        ("box with two chamfers", polygon(&two_chamfers)),
        ("hull of 12", regular(12, 6.0)),
        ("hull of 20", regular(20, 6.0)),
    ]
}

/// A regular polygon of some multiple of four vertices, with an edge below, at this distance from
/// its center.
pub fn regular(vertices: u32, apothem: f32) -> Shape {
    let half = TAU / vertices as f32 / 2.0;
    let angle = |number: u32| half * (2 * number + 1) as f32;
    let radius = apothem / ops::cos(half);
    Shape::polygon((0..vertices).map(|number| Vec2::from_angle(angle(number)) * radius)).unwrap()
}

/// How often a game updates in a second.
pub const RATES: [f64; 4] = [30.0, 60.0, 144.0, 240.0];

/// Calls `check` with every body at some of the [`RATES`], so that with four numbers of a third
/// thing each two of the three come together once. In the long form, at all of them.
pub fn each_body_and_rate(number: usize, mut check: impl FnMut(&Shape, f64, &str)) {
    for (body_number, (name, body)) in bodies().into_iter().enumerate() {
        for (rate_number, hertz) in RATES.into_iter().enumerate() {
            if is_long() || (number + body_number + rate_number).is_multiple_of(RATES.len()) {
                check(&body, hertz, &format!("{name} at {hertz} Hz"));
            }
        }
    }
}

/// A collider of any shape.
#[derive(Component, Clone)]
pub struct Body(pub Shape);

impl Collider for Body {
    fn shape(&self) -> Shape {
        self.0.clone()
    }
}

impl Course {
    /// A world with a walker whose center is at a position, updated this many times a second.
    pub fn at_rate(hertz: f64, body: &Shape, position: Vec2, walker: Walker) -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, CollisionPlugin::default()));
        app.add_collider::<Body>();
        let step = Duration::from_secs_f64(1.0 / hertz);
        app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        app.finish();
        app.cleanup();
        app.update();
        for (_, schedule) in app.world_mut().resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        let transform = Transform::from_translation(position.extend(0.0));
        let mover = Mover::default();
        let walker = (app.world_mut())
            .spawn((Body(body.clone()), transform, mover, walker))
            .id();
        Self {
            app,
            walker,
            seconds: step.as_secs_f32(),
            speed: 0.0,
            gravity: GRAVITY,
            landed: Vec::new(),
            left: Vec::new(),
        }
    }

    pub fn new(body: &Shape, position: Vec2, walker: Walker) -> Self {
        Self::at_rate(60.0, body, position, walker)
    }

    /// Adds a wall.
    pub fn wall(&mut self, shape: Shape) -> Entity {
        self.app.world_mut().spawn((Body(shape), Solid)).id()
    }

    /// Adds a wall of this size with its center at a position.
    pub fn block(&mut self, center: [f32; 2], size: [f32; 2]) -> Entity {
        let transform = Transform::from_xyz(center[0], center[1], 0.0);
        let collider = RectCollider::new(size[0], size[1]);
        self.app
            .world_mut()
            .spawn((collider, transform, Solid))
            .id()
    }

    /// Adds a wall with this outline.
    pub fn outline<const COUNT: usize>(&mut self, points: [[f32; 2]; COUNT]) -> Entity {
        self.wall(Shape::polygon(points.map(Vec2::from)).unwrap())
    }

    pub fn get<C: Component>(&self) -> &C {
        self.app.world().get(self.walker).unwrap()
    }

    pub fn ground(&self) -> &Ground {
        self.get()
    }

    pub fn position(&self) -> Vec2 {
        self.position_of(self.walker)
    }

    pub fn position_of(&self, entity: Entity) -> Vec2 {
        let transform: &Transform = self.app.world().get(entity).unwrap();
        transform.translation.truncate()
    }

    pub fn velocity(&self) -> Vec2 {
        self.get::<Mover>().velocity
    }

    /// Whether the walker was hit by a solid in the last step.
    pub fn is_hit_by(&self, solid: Entity) -> bool {
        let hits: &MoverHits = self.get();
        hits.iter().any(|hit| hit.blocker == solid)
    }

    pub fn set_velocity(&mut self, mover: Entity, velocity: Vec2) {
        let mut mover: Mut<Mover> = self.app.world_mut().get_mut(mover).unwrap();
        mover.velocity = velocity;
    }

    pub fn mover(&mut self) -> Mut<'_, Mover> {
        self.app.world_mut().get_mut(self.walker).unwrap()
    }

    pub fn transform(&mut self, entity: Entity) -> Mut<'_, Transform> {
        self.app.world_mut().get_mut(entity).unwrap()
    }

    /// The walker after the game has set its velocity. The displacement adds what gravity does
    /// within the update, so that jumps are exact parabolas at any rate.
    fn commanded(&self) -> Mover {
        let fall = self.gravity * self.seconds;
        let up = *self.get::<Walker>().up;
        let rising = self.velocity().dot(up);
        Mover {
            velocity: -up.perp() * self.speed + up * (rising - fall),
            displacement: up * (fall * self.seconds / 2.0),
            ..self.get::<Mover>().clone()
        }
    }

    /// What `ColliderQuery::walk` says that the walker will do in the next step.
    pub fn predict(&mut self) -> MoveOutcome {
        let (walker, mover, seconds) = (self.walker, self.commanded(), self.seconds);
        refresh_colliders(self.app.world_mut());
        let predict = move |walkers: Query<(&Transform, &Body, &Walker, &Ground)>,
                            query: SpatialQuery| {
            let (transform, body, rules, ground) = walkers.get(walker).unwrap();
            let shape = body.0.translated(transform.translation.truncate());
            let walker = query.of(walker).unwrap().with_shape(shape);
            walker.walk(&mover, rules, ground, seconds)
        };
        self.app.world_mut().run_system_once(predict).unwrap()
    }

    /// Updates once, after the game has set the velocity of the walker.
    pub fn step(&mut self) {
        *self.mover() = self.commanded();
        self.app.update();
        let world = self.app.world_mut();
        let landed = world
            .resource_mut::<Messages<Landed>>()
            .drain()
            .collect::<Vec<_>>();
        self.landed.extend(landed);
        let left = world
            .resource_mut::<Messages<LeftFloor>>()
            .drain()
            .collect::<Vec<_>>();
        self.left.extend(left);
    }

    pub fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.step();
        }
    }

    /// Steps until the walker stands.
    pub fn settle(&mut self) {
        for _ in 0..200 {
            self.step();
            if self.ground().is_on_floor() {
                return;
            }
        }
        panic!("the walker never lands: it is at {}", self.position());
    }

    /// Jumps with this speed in the next step.
    pub fn jump(&mut self, speed: f32) {
        self.mover().velocity.y = speed;
    }
}

/// A mover with a part of 40 by 10, each solid or not.
pub fn spawn_body(course: &mut Course, position: Vec2, is_solid: [bool; 2]) -> Entity {
    let at = Transform::from_translation(position.extend(0.0));
    let world = course.app.world_mut();
    let mut body = world.spawn((CircleCollider::new(6.0), Mover::default(), at));
    if is_solid[0] {
        body.insert(Solid);
    }
    let body = body.id();
    let part = (RectCollider::new(40.0, 10.0), MoverPart, ChildOf(body));
    let mut part = world.spawn((part, Transform::from_xyz(26.0, 0.0, 0.0)));
    if is_solid[1] {
        part.insert(Solid);
    }
    body
}
