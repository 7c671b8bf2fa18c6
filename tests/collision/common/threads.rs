//! Results do not depend on the number of threads. Each number needs a process of its own, since
//! task pools are global.

use std::{env, process::Command};

use bevy::{
    app::{TaskPoolOptions, TaskPoolPlugin, TaskPoolThreadAssignmentPolicy},
    prelude::*,
    time::{TimePlugin, TimeUpdateStrategy},
};
use bevy_thud::prelude::*;

use super::*;

/// The environment variable with the number of threads of a test in a process of its own.
const THREADS: &str = "BEVY_THUD_TEST_THREADS";

/// What an ignored test prints, from `mark` to the end of the line, with this many threads. `test`
/// is its path from the crate on.
pub fn printed_with_threads(threads: usize, test: &str, mark: &str) -> String {
    let (_, test) = test.split_once("::").unwrap();
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(THREADS, threads.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let start = text.find(mark);
    let start = start.unwrap_or_else(|| panic!("{threads} threads: {text}"));
    text[start..].lines().next().unwrap().to_owned()
}

/// In such a test, an app whose systems share its threads, or `None` outside of one.
pub fn app_with_threads() -> Option<App> {
    let mut app = unstarted_app_with_threads()?;
    start(&mut app);
    Some(app)
}

/// The same, before its first update.
pub fn unstarted_app_with_threads() -> Option<App> {
    let threads = env::var(THREADS).ok()?.parse().unwrap();
    let policy = |threads| TaskPoolThreadAssignmentPolicy {
        min_threads: threads,
        max_threads: threads,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let task_pool_options = TaskPoolOptions {
        min_total_threads: threads + 2,
        max_total_threads: threads + 2,
        io: policy(1),
        async_compute: policy(1),
        compute: policy(threads),
    };
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin { task_pool_options },
        TimePlugin,
        TransformPlugin,
        CollisionPlugin::default(),
    ));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    record_events(&mut app);
    Some(app)
}
