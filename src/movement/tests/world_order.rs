//! The order by which pairs in crowds are sorted.

use fastrand::Rng;

use super::super::world_order::sort_key;

#[test]
fn keys_sort_as_coordinates_do() {
    let mut rng = Rng::with_seed(1);
    let special = [
        0.0,
        -0.0,
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    let mut numbers: Vec<f32> = special.iter().flat_map(|&x| [x, -x]).collect();
    numbers.extend((0..100).map(|_| f32::from_bits(rng.u32(..))));
    for p in &numbers {
        for q in &numbers {
            assert_eq!(sort_key(*p).cmp(&sort_key(*q)), p.total_cmp(q), "{p} {q}");
        }
    }
}
