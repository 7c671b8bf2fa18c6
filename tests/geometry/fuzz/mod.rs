//! On numbers of any bits: no panic, no result that is not finite, and no call that takes long.

mod bits;
mod calls;
mod scenes;
