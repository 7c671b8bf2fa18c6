//! Tests of reports that no system could observe.

mod start_log;
