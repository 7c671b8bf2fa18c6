//! The recipes of `docs/cookbook.md`, each with its test. A file has a question, the recipe that the
//! page shows, and what tests it.

mod app;

use std::{fs, path::Path};
