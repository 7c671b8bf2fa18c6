//! What the games share: which one is played, its input, its score, and the layers of its things.

use bevy::{ecs::system::SystemParam, state::state_scoped::DespawnWhen};

use super::{asteroids, brawler, breakout, clock, dungeon, racer, tower_defense};

/// All that the games name.
pub mod prelude {
    pub use bevy::{color::palettes::tailwind::*, prelude::*};
    pub use bevy_thud::{geometry::Shape, prelude::*};

    pub use super::super::{
        clock::{Clock, Lasts},
        kit::{Fill, room},
        look::{Ribbon, Trail},
    };
    pub use super::{Damage, Dice, Game, Health, Intent, Layer, Tally, block, disk, playing};
}

use prelude::*;

pub const LIVES: u32 = 5;
/// How long a game is over before a press starts it again.
const SECONDS_OVER: f32 = 1.0;

/// The game that is played.
#[derive(States, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Game {
    #[default]
    Breakout,
    Asteroids,
    TowerDefense,
    Racer,
    Dungeon,
    Brawler,
}

impl Game {
    /// In the order of their keys.
    pub const ALL: [Self; 6] = [
        Self::Breakout,
        Self::Asteroids,
        Self::TowerDefense,
        Self::Racer,
        Self::Dungeon,
        Self::Brawler,
    ];

    /// What the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breakout => "breakout",
            Self::Asteroids => "asteroids",
            Self::TowerDefense => "tower_defense",
            Self::Racer => "racer",
            Self::Dungeon => "dungeon",
            Self::Brawler => "brawler",
        }
    }

    /// The title, and what the keys do.
    pub fn help(self) -> [&'static str; 2] {
        match self {
            Self::Breakout => [
                "Breakout",
                "A D: move. The paddle aims. Catch pills for two more balls",
            ],
            Self::Asteroids => [
                "Asteroids",
                "A D: turn. W: thrust. Space: shoot. Shots bounce, and hit you as well",
            ],
            Self::TowerDefense => [
                "Tower defense",
                "WASD: walk. Space on a pad: build a gun, then turn it into frost",
            ],
            Self::Racer => [
                "Racer",
                "W S: throttle and brake. A D: steer. Three laps, be the first",
            ],
            Self::Dungeon => [
                "Dungeon",
                "WASD: walk. Space: sword. Push a crate onto the plate, find the key",
            ],
            Self::Brawler => [
                "Brawler",
                "WASD: walk. Space: punch, punch, kick. Who is kicked bowls over others",
            ],
        }
    }
}

/// What an entity is: all that the plugin needs. Each game has its own table of the layers that
/// collide. Entities with one are despawned when a game starts.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[require(DespawnWhen<Game> = DespawnWhen::new(|_| true))]
pub enum Layer {
    Wall,
    Hero,
    Foe,
    /// What hits foes.
    Shot,
    /// What hits the hero.
    FoeShot,
    Item,
    Crate,
    Zone,
    /// Collides with walls only.
    Ghost,
}

impl CollisionLayer for Layer {}

/// What the player wants. Keys or a bot write it; the games read nothing else.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Intent {
    /// Left, right, down and up: -1, 0 or 1 each.
    pub steer: Vec2,
    /// Whether the key for action was pressed since the last step.
    pub act: bool,
    pub holds_act: bool,
}

/// How a round goes. A game starts with the default.
#[derive(Resource, Clone, Debug)]
pub struct Tally {
    pub score: u32,
    pub lives: u32,
    pub level: u32,
    /// What towers are bought with.
    pub coins: u32,
    /// Whether the game starts again with what was won so far.
    pub advances: bool,
    /// What was killed in this step.
    pub killed: Vec<Entity>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            score: 0,
            lives: LIVES,
            level: 0,
            coins: 0,
            advances: false,
            killed: Vec::new(),
        }
    }
}

impl Tally {
    /// Despawns a foe or a brick, and counts its points. Half of them are coins.
    pub fn kill(&mut self, entity: Entity, points: u32, commands: &mut Commands) {
        self.score += points;
        self.coins += points / 2;
        self.killed.push(entity);
        commands.entity(entity).despawn();
    }

    pub fn lose_life(&mut self) {
        self.lives = self.lives.saturating_sub(1);
    }

    pub fn is_over(&self) -> bool {
        self.lives == 0
    }
}

/// How many hits a foe takes.
#[derive(Component)]
pub struct Health(pub u32);

/// Hurts foes and the hero.
#[derive(SystemParam)]
pub struct Damage<'w, 's> {
    pub tally: ResMut<'w, Tally>,
    pub commands: Commands<'w, 's>,
    healths: Query<'w, 's, &'static mut Health>,
    layers: Query<'w, 's, &'static Layer>,
}

impl Damage<'_, '_> {
    /// Takes a life of the hero or one of the health of a foe, which dies at 0. Other entities are
    /// unaffected.
    pub fn hurt(&mut self, entity: Entity) {
        if self.layers.get(entity) == Ok(&Layer::Hero) {
            self.tally.lose_life();
        } else if let Ok(mut health) = self.healths.get_mut(entity) {
            if health.0 == 1 {
                self.tally.kill(entity, 10, &mut self.commands);
            }
            health.0 = health.0.saturating_sub(1);
        }
    }
}

/// All rounds that are over, and the one that is played.
#[derive(Resource, Clone, Debug, Default)]
pub struct Record {
    pub rounds: u32,
    pub score: u32,
    pub level: u32,
}

impl Record {
    pub fn add(&mut self, tally: &Tally) {
        self.rounds += 1;
        self.score += tally.score;
        self.level = self.level.max(tally.level);
    }
}

/// A filled circle.
pub fn disk(radius: f32, color: Srgba, at: Vec3) -> impl Bundle {
    let at = Transform::from_translation(at);
    (CircleCollider::new(radius), Fill(color), at)
}

/// A filled rectangle of this width and height.
pub fn block(width: f32, height: f32, color: Srgba, at: Vec3) -> impl Bundle {
    let at = Transform::from_translation(at);
    (RectCollider::new(width, height), Fill(color), at)
}

/// The source of all random numbers.
#[derive(Resource)]
pub struct Dice(pub fastrand::Rng);

impl Dice {
    /// A number from -1 to 1.
    pub fn signed(&mut self) -> f32 {
        self.0.f32() * 2.0 - 1.0
    }
}

/// All games, without a window.
pub struct GamesPlugin {
    pub first: Game,
    pub seed: u64,
}

impl Plugin for GamesPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(CollisionPlugin::in_fixed_schedule())
            .insert_resource(Dice(fastrand::Rng::with_seed(self.seed)))
            .init_resource::<Intent>()
            .init_resource::<Tally>()
            .init_resource::<Record>()
            .insert_state(self.first)
            .add_layer_table(LayerTable::<Layer>::new())
            .add_plugins((
                clock::plugin,
                breakout::plugin,
                asteroids::plugin,
                tower_defense::plugin,
                racer::plugin,
                dungeon::plugin,
                brawler::plugin,
            ))
            .add_systems(FixedFirst, |mut tally: ResMut<Tally>| tally.killed.clear())
            .add_systems(FixedPreUpdate, start_again)
            .add_systems(FixedLast, |mut intent: ResMut<Intent>| intent.act = false);
        for game in Game::ALL {
            app.add_systems(OnExit(game), reset);
        }
    }
}

/// A run condition: this game is played, and not over.
pub fn playing(game: Game) -> impl Fn(Res<State<Game>>, Res<Tally>) -> bool + Clone {
    move |state, tally| **state == game && !tally.is_over()
}

/// A press starts the game again a second after its end at the earliest: whoever still fires does
/// not mean it.
pub fn start_again(
    intent: Res<Intent>,
    tally: Res<Tally>,
    game: Res<State<Game>>,
    time: Res<Time>,
    mut seconds_over: Local<f32>,
    mut next: ResMut<NextState<Game>>,
) {
    *seconds_over = if tally.is_over() {
        *seconds_over + time.delta_secs()
    } else {
        0.0
    };
    if tally.advances || (*seconds_over > SECONDS_OVER && intent.act) {
        next.set(**game);
    }
}

fn reset(
    mut tally: ResMut<Tally>,
    mut record: ResMut<Record>,
    mut collisions: ResMut<Messages<CollisionEvent>>,
) {
    // The next round does not count hits of this one.
    collisions.clear();
    if tally.advances {
        tally.advances = false;
        return;
    }
    record.add(&tally);
    *tally = Tally::default();
}
