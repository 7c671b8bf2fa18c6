//! What the plugin logs.

use std::sync::{Mutex, Once, PoisonError};

static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct WarningCollector;

impl log::Log for WarningCollector {
    fn enabled(&self, metadata: &log::Metadata) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record) {
        if self.enabled(record.metadata()) {
            let mut warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
            warnings.push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// Starts collecting warnings.
pub fn collect_warnings() {
    static COLLECT: Once = Once::new();
    COLLECT.call_once(|| {
        log::set_logger(&WarningCollector).unwrap();
        log::set_max_level(log::LevelFilter::Warn);
    });
}

/// The warnings since [`collect_warnings`] that contain `name`, which has to be unique, since other
/// tests run at the same time.
pub fn warnings_about(name: &str) -> Vec<String> {
    let warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let about = warnings.iter().filter(|warning| warning.contains(name));
    about.cloned().collect()
}
