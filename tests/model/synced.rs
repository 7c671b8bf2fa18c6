//! The model of what the stages after `Sync` see: the world as of the last `Sync`, with movers
//! where `Move` took them.

use std::collections::BTreeSet;

use bevy::math::DVec2;
use bevy_thud::CollisionEndReason;

use crate::{
    operation::Change,
    world::{Id, Overlap, Pair, World},
};

#[derive(Default)]
pub struct Synced {
    pub world: World,
    /// The world as of the sync before, unless a refresh came between the two.
    pub previous: Option<World>,
    is_refreshed: bool,
    /// The entities with another parent since. Whether that counts is not promised.
    reparented: BTreeSet<Id>,
    /// The entities of which the pose, or whether it is a mover, was changed since.
    rewritten: BTreeSet<Id>,
    /// Those of them that `Move` may have taken along since. Where to is not promised.
    displaced: BTreeSet<Id>,
    /// Whether paths since the last sync, or the last move, are still to be detected.
    has_sync_paths: bool,
    has_move_paths: bool,
}

impl Synced {
    pub fn sync(&mut self, live: &World) {
        let previous = std::mem::take(&mut self.world);
        *self = Self {
            world: live.clone(),
            previous: Some(previous).filter(|_| !self.is_refreshed),
            has_sync_paths: true,
            ..Self::default()
        };
    }

    /// A refresh between updates: without a sync after it, the other stages see what it saw, with
    /// the settings of the last sync.
    pub fn refresh(&mut self, live: &World) {
        self.world = World {
            settings: self.world.settings,
            ..live.clone()
        };
        self.is_refreshed = true;
        for changed in [
            &mut self.reparented,
            &mut self.rewritten,
            &mut self.displaced,
        ] {
            changed.clear();
        }
    }

    /// Records a change of the world that happens after the last sync.
    pub fn record(&mut self, id: Id, change: &Change) {
        match change {
            Change::SetParent(_) | Change::RemoveParent => {
                self.reparented.insert(id);
                self.rewritten.insert(id);
            }
            Change::ToggleSolid
            | Change::ToggleSwept
            | Change::ToggleDeadly
            | Change::ToggleDisabled
            | Change::ToggleList
            | Change::SetOneWay(_)
            | Change::RemoveOneWay
            | Change::SetLayers(_)
            | Change::Ignore(_)
            | Change::RemoveIgnores
            | Change::Despawn => (),
            _ => {
                self.rewritten.insert(id);
            }
        }
    }

    /// Movers are at these positions now.
    pub fn move_to(&mut self, positions: impl Iterator<Item = (Id, DVec2)>) {
        self.has_sync_paths &= !self.has_move_paths;
        self.has_move_paths = true;
        self.displaced.extend(&self.rewritten);
        for (id, position) in positions {
            // Whatever was not a mover, or not there, as of the last sync is not moved.
            if let Some(body) = self.world.bodies.get_mut(&id)
                && body.mover.is_some()
                && body.position.is_finite()
                && position.is_finite()
            {
                body.position = position;
            }
        }
    }

    /// Pairs were detected: what moved until now is not swept again.
    pub fn end_detection(&mut self) {
        (self.has_sync_paths, self.has_move_paths) = (false, false);
    }

    /// Whether a collider may have passed others since pairs were last detected.
    pub fn has_path(&self, id: Id) -> bool {
        let body = &self.world.bodies[&id];
        let is_swept = self.has_sync_paths && body.is_swept;
        // What became a mover since the last sync is taken for one, if it is swept.
        let is_carried = self.world.body_of(id).is_some() || self.displaced.contains(&id);
        let is_moved = self.has_move_paths && is_carried;
        is_swept || is_moved && (body.is_swept || body.mover.is_some())
    }

    /// The pairs that overlap; what is undecided or not promised is as in `actual`.
    pub fn overlapping(&self, live: &World, actual: &BTreeSet<Pair>) -> BTreeSet<Pair> {
        let ids: Vec<Id> = self.world.bodies.keys().copied().collect();
        let mut pairs = BTreeSet::new();
        for (index, &b) in ids.iter().enumerate() {
            for &a in &ids[..index] {
                let is_pair = match self.overlap(live, (a, b)) {
                    Overlap::Yes => true,
                    Overlap::No => false,
                    Overlap::Undecided => actual.contains(&(a, b)),
                };
                if is_pair {
                    pairs.insert((a, b));
                }
            }
        }
        pairs
    }

    fn overlap(&self, live: &World, pair: Pair) -> Overlap {
        if self.is_uncertain(live, pair) {
            Overlap::Undecided
        } else {
            self.world.overlap(pair)
        }
    }

    /// The reasons that may be given for the end of a pair. Of a collider that was absent as of the
    /// last sync, the reason may be that of now.
    pub fn end_reasons(&self, live: &World, pair: Pair) -> Vec<CollisionEndReason> {
        let absences = |id: Id| match self.world.absence(id) {
            None => vec![None],
            synced => {
                let now = live.absence(id).unwrap_or(CollisionEndReason::Disabled);
                vec![synced, Some(now)]
            }
        };
        let (of_a, of_b) = (absences(pair.0), absences(pair.1));
        let both = of_a.iter().flat_map(|a| of_b.iter().map(move |b| [*a, *b]));
        let absent = both.filter_map(|both| both.into_iter().flatten().min());
        let reasons: Vec<CollisionEndReason> = absent.collect();
        if !reasons.is_empty() {
            reasons
        } else if self.is_uncertain(live, pair) {
            vec![CollisionEndReason::Filtered, CollisionEndReason::Separated]
        } else {
            vec![self.world.end_reason(pair)]
        }
    }

    /// Whether the docs leave open where the two are, or whether they are related.
    fn is_uncertain(&self, live: &World, (a, b): Pair) -> bool {
        let is_related_anew = |id: &Id| self.reparented.contains(id) || self.is_gone(live, *id);
        let is_displaced = |id: &Id| self.displaced.contains(id) || self.is_gone(live, *id);
        [a, b].into_iter().any(|id| {
            let line = || [id].into_iter().chain(self.world.ancestors(id));
            let live_line = live.ancestors(id).collect::<Vec<_>>();
            let any = |is_changed: &dyn Fn(&Id) -> bool| {
                line().any(|id| is_changed(&id)) || live_line.iter().any(is_changed)
            };
            let is_carried = self.world.body_of(id).is_some();
            any(&is_related_anew) || is_carried && any(&is_displaced)
        })
    }

    /// Whether a child was despawned since the last sync.
    fn is_gone(&self, live: &World, id: Id) -> bool {
        let is_child = (self.world.bodies.get(&id)).is_some_and(|body| body.parent.is_some());
        is_child && !live.bodies.contains_key(&id)
    }
}
