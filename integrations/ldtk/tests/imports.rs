//! No two modules of a crate for maps import each other, not even through others. A folder is one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use syn::{
    Attribute, Item, UseTree, Visibility,
    visit::{self, Visit},
};

/// What a file imports from this crate, by the first name after `crate::`, and what it exports
/// again, by name, with its module.
#[derive(Default)]
struct Imports {
    used: BTreeSet<String>,
    exported: BTreeMap<String, String>,
}

fn leaves(tree: &UseTree, path: &[String], all: &mut Vec<Vec<String>>) {
    let with = |name: String| [path, &[name]].concat();
    match tree {
        UseTree::Path(inner) => leaves(&inner.tree, &with(inner.ident.to_string()), all),
        UseTree::Group(group) => (group.items.iter()).for_each(|tree| leaves(tree, path, all)),
        UseTree::Name(name) => all.push(with(name.ident.to_string())),
        UseTree::Rename(rename) => all.push(with(rename.ident.to_string())),
        UseTree::Glob(_) => all.push(with("*".into())),
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|list| list.tokens.to_string() == "test")
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) => {
                let mut all = vec![];
                leaves(&item.tree, &[], &mut all);
                let is_private = matches!(item.vis, Visibility::Inherited);
                for path in all {
                    if path[0] == "crate" {
                        self.used.insert(path[1].clone());
                    } else if let ([module, name], false) = (&path[..], is_private) {
                        self.exported.insert(name.clone(), module.clone());
                    }
                }
            }
            Item::Mod(item) if is_test(&item.attrs) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        if let [first, second, ..] = &names[..]
            && first == "crate"
        {
            self.used.insert(second.clone());
        }
        visit::visit_path(self, path);
    }
}

/// What a file imports, or all files of a folder.
fn read(path: &Path) -> Imports {
    let mut imports = Imports::default();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            imports.used.extend(read(&entry.unwrap().path()).used);
        }
    } else {
        imports.visit_file(&syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap());
    }
    imports
}

/// The modules that each module of a crate imports.
fn imports(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(name)
        .join("src");
    let exported = read(&source.join("lib.rs")).exported;
    let mut modules = BTreeMap::new();
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_string();
        let used = read(&path).used.into_iter();
        let used = used.map(|name| exported.get(&name).cloned().unwrap_or(name));
        modules.insert(
            module.clone(),
            used.filter(|used| *used != module).collect(),
        );
    }
    modules
}

#[test]
fn no_modules_import_each_other() {
    assert_no_circles(&imports("ldtk"), ["tiles", "layer_reader"]);
    assert_no_circles(&imports("tiled"), ["file", "error"]);
    assert_no_circles(&imports("maps"), ["settings", "properties"]);
}

/// Asserts that no module imports itself through others, and that one of these two imports the
/// other.
fn assert_no_circles(imports: &BTreeMap<String, BTreeSet<String>>, [from, to]: [&str; 2]) {
    assert!(imports[from].contains(to), "imports are read");
    let mut circles = vec![];
    for start in imports.keys() {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(module) = open.pop() {
            for import in &imports[module] {
                if seen.insert(import) {
                    open.push(import);
                }
            }
        }
        if seen.contains(start) {
            circles.push(format!("{start} imports {:?}", imports[start]));
        }
    }
    assert!(
        circles.is_empty(),
        "files in circles:\n{}",
        circles.join("\n")
    );
}
