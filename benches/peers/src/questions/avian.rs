//! avian2d's `SpatialQuery`, called as its documentation shows.

use std::hint::black_box;

use avian2d::prelude::*;
use bevy::prelude::*;

use super::exam::{self, Answer, Exam, FAR, Kind};
use crate::{avian, scenes::among_walls::RADIUS, stage::Engine};

/// Walls are static bodies.
pub fn engine() -> Engine {
    Engine {
        name: "avian2d",
        install,
        diagnose: |_| {},
        equip: |entity, body| avian::equip(entity, body, false),
    }
}

fn install(app: &mut App) {
    avian::install(app);
    exam::install(app, ask);
}

/// Shapes are solid: what a question starts in is hit at once, and is at no distance.
fn ask(query: SpatialQuery, mut exam: ResMut<Exam>) {
    let filter = SpatialQueryFilter::default();
    exam.ask(Kind::Ray, |question| {
        let hit = query.cast_ray(question.position, question.direction, FAR, true, &filter);
        Answer::hit(black_box(hit).map(|hit| hit.distance))
    });
    // A list that is kept, as the others have it.
    let mut entities = Vec::new();
    exam.ask(Kind::Point, |question| {
        entities.clear();
        query.point_intersections_callback(question.position, &filter, |entity| {
            entities.push(entity);
            true
        });
        Answer::count(black_box(&entities).len())
    });
    if false { exam.ask(Kind::Nearest, |question| {
        let nearest = black_box(query.project_point(question.position, true, &filter));
        nearest.map_or(Answer::count(0), |nearest| {
            let distance = nearest.point.distance(question.position);
            Answer::nearest(nearest.is_inside, distance)
        })
    });}
    let circle = Collider::circle(RADIUS);
    {
        use avian2d::parry::{math::Pose, query::{self, ShapeCastOptions}};
        for (p, d, w, t) in [
            ((467.75412_f32, -560.49487_f32, 0.78591967_f32, -0.6183287_f32), (615.9156_f32, -677.8456_f32, 2.6961892_f32, 33.675507_f32, 8.548862_f32), 166.64),
            ((417.67453, 1504.359, -0.721507, -0.69240713), (359.08505, 1445.2039, 0.0, 11.93169, 15.271308), 68.69),
            ((1402.6888, -823.1143, 0.15716302, 0.98757267), (1417.9481, -757.2239, 1.6380014, 19.643291, 14.381384), 51.29),
        ].map(|(p, w, t)| (p, (), w, t)) {
            let _: () = d;
            let wall = Collider::rectangle(w.3, w.4);
            let hit = query::cast_shapes(
                &Pose::new(Vec2::new(w.0, w.1), w.2), Vec2::ZERO, wall.shape_scaled().as_ref(),
                &Pose::new(Vec2::new(p.0, p.1), 0.0), Vec2::new(p.2, p.3), circle.shape_scaled().as_ref(),
                ShapeCastOptions { max_time_of_impact: FAR, target_distance: 0.0, stop_at_penetration: true, compute_impact_geometry_on_penetration: true });
            println!("PROBE truth {t} parry {hit:?}");
        }
    }
    let config = ShapeCastConfig::from_max_distance(FAR);
    exam.ask(Kind::Cast, |question| {
        let (position, direction) = (question.position, question.direction);
        let hit = query.cast_shape(&circle, position, 0.0, direction, &config, &filter);
        Answer::hit(black_box(hit).map(|hit| hit.distance))
    });
}
