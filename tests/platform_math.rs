//! No function whose last bit depends on the platform is called between components and results:
//! only what IEEE 754 defines exactly, and `libm`, which is the same code everywhere.

use std::{
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, ExprCall, ExprMethodCall, ItemFn, ItemMod,
    visit::{self, Visit},
};

/// Of Rust and of `glam`, as methods or functions. `f32::powi` is one of them: its order of
/// multiplications is not defined.
const INEXACT: [&str; 41] = [
    "acos",
    "acos_approx",
    "acosh",
    "angle_between",
    "angle_to",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "degrees",
    "exp",
    "exp2",
    "exp_m1",
    "from_angle",
    "from_axis_angle",
    "from_euler",
    "from_rotation_x",
    "from_rotation_y",
    "from_rotation_z",
    "from_scale_angle_translation",
    "hypot",
    "ln",
    "ln_1p",
    "log10",
    "log2",
    "mul_add",
    "powf",
    "powi",
    "radians",
    "rotate_towards",
    "sin",
    "sin_cos",
    "sinh",
    "slerp",
    "tan",
    "tanh",
    "to_angle",
];
/// What only draws or picks.
const EXCEPT: [&str; 2] = ["debug", "picking"];

#[derive(Default)]
struct Calls {
    found: Vec<String>,
}

impl Calls {
    fn add(&mut self, name: String) {
        if INEXACT.contains(&name.as_str()) {
            self.found.push(name);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && list.is_ok_and(|list| list.tokens.to_string() == "test")
    })
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.add(call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            self.add(last.ident.to_string());
        }
        visit::visit_expr_call(self, call);
    }
}

/// The source files below a folder, without those of unit tests.
fn source_files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let kept = paths.filter(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        name != "tests" && !EXCEPT.contains(&name)
    });
    kept.flat_map(|path| match path.is_dir() {
        true => source_files(&path),
        false => vec![path],
    })
    .collect()
}

#[test]
fn nothing_depends_on_the_math_library_of_the_platform() {
    let files = source_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(files.len() > 100);
    for file in files {
        let mut calls = Calls::default();
        calls.visit_file(&syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap());
        assert!(
            calls.found.is_empty(),
            "{}: {:?}",
            file.display(),
            calls.found
        );
    }
}

#[test]
fn calls_of_functions_and_methods_are_found() {
    let source = "fn f(x: f32) { x.sin(); let y = Vec2::from_angle(x); g(|| f32::hypot(x, x)); }";
    let mut calls = Calls::default();
    calls.visit_file(&syn::parse_file(source).unwrap());
    assert_eq!(calls.found, ["sin", "from_angle", "hypot"]);
}
