//! Imports in `src` run one way: folders in a declared order, and no two files import each other,
//! not even through others.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, Item, UseTree, Visibility,
    visit::{self, Visit},
};

/// The folders and files of `src`. Each imports only from those before it.
const ORDER: &[&[&str]] = &[
    &[
        "aabb",
        "serde_checks",
        "memory",
        "parallel",
        "schedule",
        "settings",
        "strategies",
    ],
    &["geometry"],
    &["broad_phase"],
    &["events"],
    &["components"],
    &["state"],
    &["index"],
    &["movement"],
    &["query"],
    &["contacts"],
    &["hints"],
    &["report"],
    &["debug", "diagnostics", "picking"],
    &["plugin"],
    &["guide", "lib"],
];

/// The folders and files of `src/movement`, in the order of its stages. Each imports only from
/// those before it.
const MOVEMENT_ORDER: &[&str] = &[
    "tolerances",
    "world_order",
    "half_planes",
    "neighbors",
    "body",
    "world",
    "obstacles",
    "escape",
    "slide",
    "walk",
    "move_and_slide",
    "support",
    "crowd",
    "plan",
    "commit",
];

/// The path of a module or of an item: `["geometry", "Shape"]`.
type ModulePath = Vec<String>;

/// What a file imports, and what it imports to export again.
#[derive(Default)]
struct Imports {
    used: BTreeSet<ModulePath>,
    /// By the name under which it is exported.
    exported: BTreeMap<String, ModulePath>,
}

struct Reader {
    module: ModulePath,
    imports: Imports,
}

impl Reader {
    /// From the root of the crate; `None` for what comes from another crate.
    fn resolve(&self, path: &[String]) -> Option<ModulePath> {
        let mut base = match path.first()?.as_str() {
            "crate" => vec![],
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len() - 1].to_vec(),
            _ => return None,
        };
        for segment in &path[1..] {
            match segment.as_str() {
                "super" => drop(base.pop()),
                _ => base.push(segment.clone()),
            }
        }
        Some(base)
    }

    fn read_use(&mut self, tree: &UseTree, path: &mut Vec<String>, is_export: bool) {
        match tree {
            UseTree::Path(use_path) => {
                path.push(use_path.ident.to_string());
                self.read_use(&use_path.tree, path, is_export);
                path.pop();
            }
            UseTree::Group(group) => {
                (group.items.iter()).for_each(|tree| self.read_use(tree, path, is_export));
            }
            UseTree::Name(name) => self.add(path, &name.ident.to_string(), None, is_export),
            UseTree::Rename(rename) => {
                let exported = Some(rename.rename.to_string());
                self.add(path, &rename.ident.to_string(), exported, is_export);
            }
            UseTree::Glob(_) => self.add(path, "*", None, false),
        }
    }

    fn add(&mut self, path: &[String], name: &str, rename: Option<String>, is_export: bool) {
        let full = if name == "self" || name == "*" {
            path.to_vec()
        } else {
            [path, &[name.to_string()]].concat()
        };
        let resolved = self.resolve(&full).or_else(|| {
            // The 2018 edition lets a file name its own modules without `self`.
            let own = [&["self".to_string()], full.as_slice()].concat();
            self.resolve(&own).filter(|_| is_export)
        });
        let Some(resolved) = resolved else { return };
        if is_export {
            let exported = rename.unwrap_or_else(|| name.to_string());
            self.imports.exported.insert(exported, resolved);
        } else {
            self.imports.used.insert(resolved);
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let is_test = |attribute: &Attribute| {
        let list = attribute.meta.require_list();
        attribute.path().is_ident("cfg") && list.is_ok_and(|list| list.tokens.to_string() == "test")
    };
    attributes.iter().any(is_test)
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Use(item) => {
                let is_export = !matches!(item.vis, Visibility::Inherited);
                self.read_use(&item.tree, &mut vec![], is_export);
            }
            Item::Mod(item) if is_test(&item.attrs) => {}
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string());
        if let Some(resolved) = self.resolve(&segments.collect::<Vec<_>>()) {
            self.imports.used.insert(resolved);
        }
        visit::visit_path(self, path);
    }
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap();
        if name == "tests" {
            continue;
        }
        if path.is_dir() {
            source_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

fn module_of(file: &Path, source: &Path) -> ModulePath {
    let relative = file.strip_prefix(source).unwrap().with_extension("");
    let mut module: ModulePath = (relative.iter())
        .map(|component| component.to_str().unwrap().to_string())
        .collect();
    if module
        .last()
        .is_some_and(|last| last == "mod" || last == "lib")
    {
        module.pop();
    }
    module
}

/// What each module imports, by the module in which it is defined.
struct Sources(BTreeMap<ModulePath, Imports>);

impl Sources {
    fn read() -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = vec![];
        source_files(&source, &mut files);
        let read = |file: &PathBuf| {
            let module = module_of(file, &source);
            let mut reader = Reader {
                module: module.clone(),
                imports: Imports::default(),
            };
            reader.visit_file(&syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap());
            (module, reader.imports)
        };
        Self(files.iter().map(read).collect())
    }

    /// The module that defines what a path names, however often it is exported again.
    fn definition(&self, path: &[String]) -> ModulePath {
        let is_module = |length: &usize| self.0.contains_key(&path[..*length]);
        let length = (0..=path.len()).rev().find(is_module).unwrap_or(0);
        let (module, rest) = path.split_at(length);
        let exported = rest
            .first()
            .and_then(|name| self.0[module].exported.get(name));
        match exported {
            Some(target) if target != path => self.definition(target),
            _ => module.to_vec(),
        }
    }

    fn imports_of(&self, module: &ModulePath) -> BTreeSet<ModulePath> {
        let used = self.0[module].used.iter();
        let mut defined: BTreeSet<_> = used.map(|path| self.definition(path)).collect();
        defined.remove(module);
        defined
    }
}

fn name(module: &ModulePath) -> String {
    match module.as_slice() {
        [] => "lib".to_string(),
        components => components.join("::"),
    }
}

fn rank(module: &ModulePath) -> usize {
    let folder = module.first().map_or("lib", String::as_str);
    (ORDER.iter().position(|rank| rank.contains(&folder)))
        .unwrap_or_else(|| panic!("{folder} has no place in the order of imports"))
}

#[test]
fn folders_import_only_from_folders_before_them() {
    let sources = Sources::read();
    let mut wrong = vec![];
    for module in sources.0.keys() {
        for import in sources.imports_of(module) {
            if rank(&import) > rank(module) && !import.is_empty() {
                wrong.push(format!("{} imports {}", name(module), name(&import)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_stages_of_movement_import_only_from_stages_before_them() {
    let sources = Sources::read();
    let stage = |module: &ModulePath| {
        let is_in_movement = module.len() > 1 && module[0] == "movement";
        is_in_movement.then(|| {
            (MOVEMENT_ORDER.iter().position(|stage| *stage == module[1]))
                .unwrap_or_else(|| panic!("{} has no place among the stages", name(module)))
        })
    };
    let mut wrong = vec![];
    for module in sources.0.keys() {
        for import in sources.imports_of(module) {
            if let (Some(from), Some(to)) = (stage(module), stage(&import))
                && to > from
            {
                wrong.push(format!("{} imports {}", name(module), name(&import)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that import each other, through others or not, in groups.
fn circles(sources: &Sources) -> Vec<Vec<ModulePath>> {
    let reachable_from = |start: &ModulePath| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start.clone()]);
        while let Some(module) = open.pop() {
            for import in sources.imports_of(&module) {
                if seen.insert(import.clone()) {
                    open.push(import);
                }
            }
        }
        seen
    };
    let reachable: BTreeMap<_, _> = sources
        .0
        .keys()
        .map(|m| (m.clone(), reachable_from(m)))
        .collect();
    let mut circles = BTreeSet::new();
    for (module, from_module) in &reachable {
        if from_module.contains(module) {
            let is_in_circle = |other: &&ModulePath| reachable[*other].contains(module);
            circles.insert(from_module.iter().filter(is_in_circle).cloned().collect());
        }
    }
    circles.into_iter().collect()
}

#[test]
fn no_files_import_each_other() {
    let sources = Sources::read();
    let circles = circles(&sources);
    let lines = |circle: &Vec<ModulePath>| {
        let line = |module: &ModulePath| {
            let imports = sources.imports_of(module);
            let inside = imports.iter().filter(|import| circle.contains(import));
            format!(
                "  {} -> {}",
                name(module),
                inside.map(name).collect::<Vec<_>>().join(", ")
            )
        };
        circle.iter().map(line).collect::<Vec<_>>().join("\n")
    };
    let text: Vec<String> = circles.iter().map(lines).collect();
    assert!(
        circles.is_empty(),
        "files in circles:\n{}",
        text.join("\n\n")
    );
}
