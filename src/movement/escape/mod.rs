//! What a mover starts in: it turns, walls that move push it, and it is depenetrated or crushed.

mod crush_site;
mod depenetrate;
mod push;
mod turn;

pub(crate) use depenetrate::{Depenetration, depenetrate, record_crushing_walls};
pub(crate) use push::{Push, PushBuffers, push};
pub(crate) use turn::{Turn, turn};
