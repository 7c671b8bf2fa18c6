//! What is logged, by file of the map, since tests run side by side.

use std::sync::{Mutex, Once};

static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata) -> bool {
        true
    }

    fn log(&self, record: &log::Record) {
        WARNINGS.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

/// Collects warnings from here on.
pub fn collect_warnings() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        log::set_logger(&Collector).unwrap();
        log::set_max_level(log::LevelFilter::Warn);
    });
}

/// The warnings of files whose names begin like this since the last call, sorted.
pub fn warnings_of(file: &str) -> Vec<String> {
    let mut warnings = WARNINGS.lock().unwrap();
    let (mut own, others): (Vec<_>, Vec<_>) =
        (warnings.drain(..)).partition(|warning| warning.starts_with(file));
    *warnings = others;
    own.sort();
    own
}
