//! A world of the plugin and the model of it, to which the same happens.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bevy::{ecs::entity_disabling::Disabled, math::DVec2, prelude::*};
use bevy_thud::prelude::*;
use proptest::{prelude::*, test_runner::Config};

use crate::{
    app::{Deadly, IsRunning, app},
    detection::EntityPair,
    operation::{Change, Operation, operation},
    synced::Synced,
    update::Cursors,
    world::{ARROW, Body, Form, Id, MoverRole, World as Model},
};

/// Entities beyond this are not spawned: others are more likely to overlap.
const MAX_ENTITIES: usize = 14;
const MAX_ANCESTORS: usize = 4;
const UPDATE: Duration = Duration::from_nanos(15_625_000);

/// A world of the plugin and the model of it.
pub struct Machine {
    pub app: App,
    pub model: Model,
    pub entities: BTreeMap<Id, Entity>,
    pub ids: BTreeMap<Entity, Id>,
    pub synced: Synced,
    /// The pairs as of the last update.
    pub pairs: BTreeSet<EntityPair>,
    /// What each `CollidingEntities` holds, as of the last report.
    pub lists: BTreeMap<Id, Vec<Entity>>,
    pub cursors: Cursors,
}

impl Machine {
    fn new() -> Self {
        Self {
            app: app(),
            model: Model::default(),
            entities: BTreeMap::new(),
            ids: BTreeMap::new(),
            synced: Synced::default(),
            pairs: BTreeSet::new(),
            lists: BTreeMap::new(),
            cursors: Cursors::default(),
        }
    }

    fn apply(&mut self, operation: &Operation) {
        match *operation {
            Operation::Spawn {
                form,
                position,
                is_solid,
            } => {
                self.spawn(form, position, is_solid);
            }
            Operation::Platform {
                size,
                position,
                angle,
                direction,
                offset,
                mover,
            } => {
                if let Some(wall) = self.spawn(Form::Rect { size }, position, true) {
                    self.change(wall, &Change::Rotate(angle));
                    self.change(wall, &Change::SetOneWay(direction));
                }
                let form = Form::Circle { radius: 0.25 };
                if let Some(id) = self.spawn(form, position + offset, false) {
                    self.change(id, &Change::SetMover(mover));
                }
            }
            Operation::Change { entity, ref change } => {
                if let Some(id) = self.choose(entity) {
                    self.change(id, change);
                }
            }
            Operation::Configure(settings) => {
                self.model.settings = settings;
                self.app.insert_resource(CollisionSettings {
                    margin: settings.margin as f32,
                    solid_pairs: settings.solid_pairs,
                });
            }
            Operation::Run(is_running) => {
                self.app.insert_resource(IsRunning(is_running));
            }
            Operation::Refresh => refresh_colliders(self.app.world_mut()),
            Operation::Reset => {
                while let Some(id) = self.choose(0) {
                    self.change(id, &Change::Despawn);
                }
            }
            Operation::Frame { updates, is_paused } => {
                let delta = if is_paused { Duration::ZERO } else { UPDATE };
                for _ in 0..updates {
                    self.app
                        .world_mut()
                        .resource_mut::<Time>()
                        .advance_by(delta);
                    self.update();
                }
                let world = self.app.world_mut();
                world.resource_mut::<Messages<CollisionEvent>>().update();
                world.resource_mut::<Messages<MoverHit>>().update();
                world.resource_mut::<Messages<Crushed>>().update();
                world.clear_trackers();
            }
        }
    }

    fn choose(&self, number: usize) -> Option<Id> {
        let ids = &self.model.bodies;
        ids.keys().nth(number % ids.len().max(1)).copied()
    }

    /// Spawns an entity, unless there are enough.
    fn spawn(&mut self, form: Form, position: DVec2, is_solid: bool) -> Option<Id> {
        if self.model.bodies.len() >= MAX_ENTITIES {
            return None;
        }
        let id = self.entities.len();
        let entity = self.app.world_mut().spawn_empty().id();
        self.entities.insert(id, entity);
        self.ids.insert(entity, id);
        self.model.bodies.insert(id, Body::new(position));
        self.insert(id, transform_of(&self.model.bodies[&id]));
        self.change(id, &Change::SetForm(form));
        if is_solid {
            self.change(id, &Change::ToggleSolid);
        }
        Some(id)
    }

    fn insert(&mut self, id: Id, bundle: impl Bundle) {
        let entity = self.entities[&id];
        self.app.world_mut().entity_mut(entity).insert(bundle);
    }

    fn remove<B: Bundle>(&mut self, id: Id) {
        let entity = self.entities[&id];
        self.app.world_mut().entity_mut(entity).remove::<B>();
    }

    fn set<C: Component + Default>(&mut self, id: Id, is_present: bool) {
        if is_present {
            self.insert(id, C::default());
        } else {
            self.remove::<C>(id);
        }
    }

    /// Changes an entity in the world and in the model.
    fn change(&mut self, id: Id, change: &Change) {
        let mut body = self.model.bodies[&id].clone();
        match *change {
            Change::Despawn => {
                self.app.world_mut().despawn(self.entities[&id]);
                return self.model.despawn(id);
            }
            Change::Move(_)
            | Change::Rotate(_)
            | Change::Scale(_)
            | Change::Mirror
            | Change::Lose => {
                change_pose(&mut body, change);
                if body.has_transform {
                    self.insert(id, transform_of(&body));
                }
            }
            Change::SetParent(number) => {
                let Some(parent) = self
                    .choose(number)
                    .filter(|&parent| self.can_adopt(parent, id))
                else {
                    return;
                };
                body.parent = Some(parent);
                self.insert(id, ChildOf(self.entities[&parent]));
            }
            Change::RemoveParent => {
                body.parent = None;
                self.remove::<ChildOf>(id);
            }
            Change::SetForm(form) => {
                body.form = Some(form);
                self.remove::<AnyCollider>(id);
                self.insert_form(id, form);
                body.require_transform();
            }
            Change::RemoveForm => {
                body.form = None;
                self.remove::<AnyCollider>(id);
            }
            Change::RenewForm => {
                self.remove::<AnyCollider>(id);
                if let Some(form) = body.form {
                    self.insert_form(id, form);
                    body.require_transform();
                }
            }
            Change::ToggleDisabled => {
                body.is_disabled ^= true;
                self.set::<ColliderDisabled>(id, body.is_disabled);
            }
            Change::ToggleHidden => {
                body.is_hidden ^= true;
                self.set::<Disabled>(id, body.is_hidden);
            }
            Change::ToggleTransform if !self.model.has_children(id) => {
                body.has_transform ^= true;
                if body.has_transform {
                    self.insert(id, transform_of(&body));
                } else {
                    self.remove::<Transform>(id);
                }
            }
            Change::ToggleTransform => (),
            Change::ToggleSolid => {
                body.is_solid ^= true;
                self.set::<Solid>(id, body.is_solid);
            }
            Change::ToggleSwept => {
                body.is_swept ^= true;
                self.set::<Swept>(id, body.is_swept);
            }
            Change::ToggleDeadly => {
                body.is_deadly ^= true;
                if body.is_deadly {
                    self.insert(id, Deadly);
                } else {
                    self.remove::<Deadly>(id);
                }
            }
            Change::ToggleList => {
                body.has_list ^= true;
                self.set::<CollidingEntities>(id, body.has_list);
                self.lists.remove(&id);
                if body.has_list {
                    self.lists.insert(id, vec![]);
                }
            }
            Change::SetOneWay(direction) => {
                body.one_way = Some(direction);
                let direction = Dir2::new(direction.as_vec2()).expect("unit length");
                self.insert(id, OneWay(direction));
            }
            Change::RemoveOneWay => {
                body.one_way = None;
                self.remove::<OneWay>(id);
            }
            Change::SetLayers(layers) => {
                body.layers = layers;
                let [memberships, filters] = layers.map(LayerMask);
                self.insert(id, CollisionLayers::new(memberships, filters));
            }
            Change::Ignore(number) => {
                body.ignored = self.choose(number);
                if let Some(ignored) = body.ignored {
                    self.insert(id, Ignores::always(self.entities[&ignored]));
                }
            }
            Change::RemoveIgnores => {
                body.ignored = None;
                self.remove::<Ignores>(id);
            }
            Change::SetMover(role) => {
                if !body.has_transform {
                    return;
                }
                body.mover = Some(role);
                self.insert(id, mover_of(role));
            }
            Change::RemoveMover => {
                body.mover = None;
                self.remove::<Mover>(id);
            }
        }
        self.model.bodies.insert(id, body);
    }

    fn insert_form(&mut self, id: Id, form: Form) {
        match form {
            Form::Circle { radius } => self.insert(id, CircleCollider::new(radius as f32)),
            Form::Rect { size } => {
                self.insert(id, RectCollider::new(size.x as f32, size.y as f32));
            }
            Form::Capsule {
                half_length,
                radius,
            } => {
                let end = Vec2::Y * half_length as f32;
                self.insert(id, CapsuleCollider::between(-end, end, radius as f32));
            }
            Form::Grid { cells, cell_size } => {
                let cells = (0..9).map(|index| cells & (1 << index) != 0);
                self.insert(id, TileCollider::from_cells(3, cells, cell_size.as_vec2()));
            }
            Form::Arrow { size } => {
                let points = ARROW.map(|point| (point * size).as_vec2());
                self.insert(id, PolygonCollider::new(points).expect("no edges cross"));
            }
        }
    }

    /// Whether one entity may become the parent of another one.
    fn can_adopt(&self, parent: Id, child: Id) -> bool {
        let line: Vec<Id> = self.model.ancestors(parent).collect();
        let is_cycle = parent == child || line.contains(&child);
        let has_transform = self.model.bodies[&parent].has_transform;
        !is_cycle && line.len() < MAX_ANCESTORS && has_transform
    }
}

type AnyCollider = (
    CircleCollider,
    RectCollider,
    CapsuleCollider,
    PolygonCollider,
    TileCollider,
);

fn change_pose(body: &mut Body, change: &Change) {
    match *change {
        Change::Move(by) if body.position.is_finite() => body.position += by,
        Change::Move(to) => body.position = to,
        Change::Rotate(by) => body.angle += by,
        Change::Scale(scale) => body.scale = scale,
        Change::Mirror => body.scale.x = -body.scale.x,
        _ => body.position = DVec2::NAN,
    }
}

fn transform_of(body: &Body) -> Transform {
    Transform {
        translation: body.position.as_vec2().extend(0.0),
        rotation: Quat::from_rotation_z(body.angle as f32),
        scale: body.scale.as_vec2().extend(1.0),
    }
}

fn mover_of(role: MoverRole) -> Mover {
    Mover {
        blocked_by: LayerMask(role.blocked_by),
        ..Mover::with_velocity(role.velocity.as_vec2())
    }
}

fn run(operations: &[Operation]) {
    let mut machine = Machine::new();
    operations
        .iter()
        .for_each(|operation| machine.apply(operation));
    machine.app.insert_resource(IsRunning(true));
    machine.update();
}

proptest! {
    #![proptest_config(Config { cases: 100, max_shrink_iters: 4000, ..Config::default() })]

    #[test]
    fn whatever_happens_events_and_pairs_are_those_of_the_model(
        operations in prop::collection::vec(operation(), 1..200),
    ) {
        run(&operations);
    }
}

proptest! {
    #![proptest_config(Config { cases: 10_000, max_shrink_iters: 4000, ..Config::default() })]

    #[test]
    #[ignore = "takes minutes: a million operations"]
    fn whatever_happens_a_million_times_events_and_pairs_are_those_of_the_model(
        operations in prop::collection::vec(operation(), 1..200),
    ) {
        run(&operations);
    }
}
