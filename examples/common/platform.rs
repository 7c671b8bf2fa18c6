//! All that differs between a desktop and a browser, where there are no arguments, no files, no
//! terminal and no other threads to wait for.

#![allow(dead_code, unused_imports, reason = "no example uses all of it")]

pub use here::*;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod here {
    use std::fmt::Display;

    use argh::TopLevelCommand;

    pub use std::fs::File;

    pub const IS_BROWSER: bool = false;

    /// Whether fingers are all there is, and the page has a stick and buttons for them.
    pub fn is_touch_screen() -> bool {
        false
    }

    /// The options of the command line.
    pub fn options<Options: TopLevelCommand>() -> Options {
        argh::from_env()
    }

    /// Prints a line.
    pub fn print(line: impl Display) {
        println!("{line}");
    }
}

// Not WASI, which has all of it.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod here {
    use std::{
        fmt::{Arguments, Display},
        io::{Result, Write},
        path::Path,
    };

    use argh::TopLevelCommand;
    use wasm_bindgen::throw_str;
    use web_sys::{UrlSearchParams, console};

    pub const IS_BROWSER: bool = true;

    /// Whether fingers are all there is, and the page has a stick and buttons for them.
    pub fn is_touch_screen() -> bool {
        let window = web_sys::window().expect("this runs in a page");
        let coarse = window.match_media("(pointer: coarse)").ok().flatten();
        coarse.is_some_and(|query| query.matches())
    }

    /// The options in the address of the page: `?seed=2&bots` stands for `--seed 2 --bots`. It also
    /// names the example.
    pub fn options<Options: TopLevelCommand>() -> Options {
        let arguments: Vec<String> = parameters()
            .filter(|(name, _)| name != "example")
            .flat_map(|(name, value)| [format!("--{name}"), value])
            .filter(|argument| !argument.is_empty())
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match Options::from_args(&["?"], &arguments) {
            Ok(options) => options,
            // The page shows it.
            Err(exit) => throw_str(&exit.output),
        }
    }

    /// The names and values behind the question mark of the address.
    fn parameters() -> impl Iterator<Item = (String, String)> {
        let address = web_sys::window().expect("this runs in a page").location();
        let search = address.search().unwrap_or_default();
        let parameters = UrlSearchParams::new_with_str(&search).expect("a string has parameters");
        let entries = parameters.entries().into_iter().flatten();
        entries.map(|entry| {
            let entry = js_sys::Array::from(&entry);
            let [name, value] = [0, 1].map(|index| entry.get(index).as_string());
            (name.unwrap_or_default(), value.unwrap_or_default())
        })
    }

    /// Prints a line to the console.
    pub fn print(line: impl Display) {
        console::log_1(&line.to_string().into());
    }

    /// Stands for every file: what is written to it goes to the console.
    pub struct File;

    impl File {
        pub fn create(_: impl AsRef<Path>) -> Result<Self> {
            Ok(Self)
        }
    }

    impl Write for File {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            print(String::from_utf8_lossy(bytes));
            Ok(bytes.len())
        }

        /// A line in one piece, instead of one for each of its fragments.
        fn write_fmt(&mut self, line: Arguments) -> Result<()> {
            print(line.to_string().trim_end());
            Ok(())
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }
}
