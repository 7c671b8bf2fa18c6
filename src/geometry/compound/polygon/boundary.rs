//! The rings around an area, from the edges around it.

use bevy::{math::Vec2, platform::collections::HashMap};

use super::{arrangement::Arrangement, orientation::orientation};

/// An edge from a point to a neighbor.
#[derive(Clone, Copy)]
struct Spoke {
    neighbor: usize,
    /// The index of the edge.
    edge: usize,
    /// Whether the area is to the left.
    is_left_inside: bool,
}

/// Returns the rings along the edges with the area to their left, by the indices of their points.
/// No ring comes to a point twice, but several may touch at one. Each begins at its leftmost point,
/// and the rings are in order of these.
///
/// `is_left_inside` says whether the area is to the left of each edge, seen from the first of its
/// ends.
pub(super) fn rings(arrangement: &Arrangement, is_left_inside: &[bool]) -> Vec<Vec<usize>> {
    let mut rings = Vec::new();
    for chain in closed_chains(arrangement, is_left_inside) {
        split_at_repeated(&chain, &mut rings);
    }
    for ring in &mut rings {
        let first = (0..ring.len()).min_by_key(|i| ring[*i]).unwrap_or(0);
        ring.rotate_left(first);
    }
    rings.sort_unstable();
    rings
}

/// Returns the edges at each point, counter-clockwise.
fn spokes_of(
    Arrangement { points, edges }: &Arrangement,
    is_left_inside: &[bool],
) -> Vec<Vec<Spoke>> {
    let mut spokes = vec![Vec::new(); points.len()];
    for (edge, (&[a, b], &is_left_inside)) in edges.iter().zip(is_left_inside).enumerate() {
        for (end, neighbor, is_left_inside) in [(a, b, is_left_inside), (b, a, !is_left_inside)] {
            spokes[end].push(Spoke {
                neighbor,
                edge,
                is_left_inside,
            });
        }
    }
    for (center, spokes) in points.iter().zip(&mut spokes) {
        let is_upper =
            |point: Vec2| point.y > center.y || (point.y == center.y && point.x < center.x);
        spokes.sort_by(|p: &Spoke, q: &Spoke| {
            let [p, q] = [p, q].map(|spoke| points[spoke.neighbor]);
            let by_angle = || 0.0f64.total_cmp(&orientation(*center, p, q));
            is_upper(p).cmp(&is_upper(q)).then_with(by_angle)
        });
    }
    spokes
}

/// Returns closed chains of points with the area to the left. Where several edges end, a chain
/// goes around the area between two of them.
fn closed_chains(arrangement: &Arrangement, is_left_inside: &[bool]) -> Vec<Vec<usize>> {
    let spokes = spokes_of(arrangement, is_left_inside);
    let mut is_used = vec![false; arrangement.edges.len()];
    let mut chains = Vec::new();
    for start in 0..spokes.len() {
        for mut number in 0..spokes[start].len() {
            let (mut at, mut chain) = (start, Vec::new());
            loop {
                let spoke = spokes[at][number];
                if is_used[spoke.edge] || !spoke.is_left_inside {
                    break;
                }
                is_used[spoke.edge] = true;
                chain.push(at);
                at = spoke.neighbor;
                let count = spokes[at].len();
                let back = (spokes[at].iter()).position(|back| back.edge == spoke.edge);
                number = (back.unwrap_or(0) + count - 1) % count;
            }
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
    }
    chains
}

/// Splits a closed chain where it comes to a point again.
fn split_at_repeated(chain: &[usize], rings: &mut Vec<Vec<usize>>) {
    let mut ring: Vec<usize> = Vec::new();
    // Where points are in the ring.
    let mut positions: HashMap<usize, usize> = HashMap::default();
    for &point in chain {
        if let Some(&start) = positions.get(&point) {
            let closed = ring.split_off(start);
            for point in &closed {
                positions.remove(point);
            }
            rings.push(closed);
        }
        positions.insert(point, ring.len());
        ring.push(point);
    }
    rings.push(ring);
}
