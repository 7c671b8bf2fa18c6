//! What happens to a mover before its own motion: it turns, is pushed by moving walls, and is
//! depenetrated or crushed.

mod crush_site;
mod depenetrate;
mod push;
mod turn;

pub(crate) use depenetrate::{Depenetration, depenetrate, record_crushing_walls};
pub(crate) use push::{Push, PushBuffers, push};
pub(crate) use turn::{Turn, turn};
