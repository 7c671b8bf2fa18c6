//! Elements of a file, which know where they are.

use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    str::FromStr,
};

use bevy::math::Vec2;
use roxmltree::{Document, Error, Node, ParsingOptions};

use super::files::Files;
use crate::error::{TiledError, TiledProblem};
use bevy_thud_maps::MapLocation;

/// Elements in more others than this are not read, since they are read by recursion.
const MAX_DEPTH: usize = 64;

/// A file that is being read.
pub(crate) struct File<'a> {
    pub path: &'a Path,
    pub files: &'a Files<'a>,
    /// The ids that several objects have.
    pub shared_ids: HashSet<u32>,
    /// Where each line starts but the first.
    lines: Vec<usize>,
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(crate) struct Element<'a> {
    node: Node<'a, 'a>,
    pub file: &'a File<'a>,
}

/// Why a file is not read, and at which line that is.
pub(crate) type Refused = (Option<u32>, String);

/// Reads the root element of a file, which has this tag.
pub(crate) fn parse<T>(
    path: &Path,
    bytes: &[u8],
    files: &Files,
    tag: &str,
    read: impl FnOnce(Element) -> T,
) -> Result<T, Refused> {
    let text = decoded(bytes, path)?;
    let options = ParsingOptions {
        // Maps of before 2016 have one.
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options);
    let document = document.map_err(|error| refused(&error, text))?;
    let mut file = File {
        path,
        files,
        shared_ids: HashSet::new(),
        lines: text.match_indices('\n').map(|(at, _)| at + 1).collect(),
    };
    let node = document.root_element();
    let found = node.tag_name().name();
    if found != tag {
        let error = format!("it is a <{found}>, and not a <{tag}>");
        return Err((Some(file.line(node)), error));
    }
    let mut ids = HashSet::new();
    let objects = node.descendants().filter(|it| it.has_tag_name("object"));
    let of_layers = objects.filter(|it| !it.ancestors().any(is_tile));
    for id in of_layers.filter_map(|it| it.attribute("id")?.parse().ok()) {
        if !ids.insert(id) {
            file.shared_ids.insert(id);
        }
    }
    Ok(read(Element { node, file: &file }))
}

/// The text of a file that is XML, as far as its first bytes tell.
fn decoded<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a str, Refused> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let other = |error: &str| Err((None, error.to_owned()));
    if matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return other("it is UTF-16, and only UTF-8 is read: save it as UTF-8");
    }
    if matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        let extension = path.extension().unwrap_or_default();
        let xml = match extension.to_str() {
            Some("world") => return other("it is a world, a list of maps: read each of its maps"),
            Some("tsj") => "tsx",
            Some("tj") => "tx",
            _ => "tmx",
        };
        return other(&format!(
            "it is JSON, and only XML is read: save it as `.{xml}`"
        ));
    }
    if bytes.starts_with(b"version https://git-lfs") {
        return other("it is a pointer of Git LFS: get the file itself by `git lfs pull`");
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let lines = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n');
        let line = lines.count() as u32;
        (Some(line), "it is not UTF-8: save it as UTF-8".into())
    })
}

fn refused(error: &Error, text: &str) -> Refused {
    let mut lines = text.lines().zip(1..);
    if let Some((_, line)) = lines.find(|(line, _)| line.starts_with("<<<<<<<")) {
        let error = "it has a merge conflict, which begins here: resolve it in version control";
        return (Some(line), error.into());
    }
    match error {
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            (None, "it ends too early".into())
        }
        Error::NoRootNode => (None, "it has no element".into()),
        other => (Some(other.pos().row), other.to_string()),
    }
}

impl File<'_> {
    fn line(&self, node: Node) -> u32 {
        let start = node.range().start;
        self.lines.partition_point(|line| *line <= start) as u32 + 1
    }

    /// A file by the path that this one has for it.
    pub fn relative(&self, path: &str) -> PathBuf {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        folder.join(path.replace('\\', "/"))
    }
}

impl<'a> Element<'a> {
    pub fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    pub fn line(self) -> u32 {
        self.file.line(self.node)
    }

    pub fn children(self) -> impl Iterator<Item = Self> {
        let nodes = self.node.children().filter(Node::is_element);
        nodes.map(move |node| Self { node, ..self })
    }

    pub fn children_of(self, tag: &str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.tag() == tag)
    }

    pub fn child(self, tag: &str) -> Option<Self> {
        self.children_of(tag).next()
    }

    pub fn text(self) -> String {
        let texts = self.node.children().filter(Node::is_text);
        texts.filter_map(|it| it.text()).collect()
    }

    pub fn get(self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    pub fn string(self, name: &str) -> String {
        self.get(name).unwrap_or_default().into()
    }

    /// The class, which Tiled has called so or otherwise.
    pub fn class(self) -> Option<&'a str> {
        self.get("class").or(self.get("type"))
    }

    /// A whole number. Reports what is none.
    pub fn int<T: FromStr>(self, name: &str) -> Option<T> {
        self.parsed(name, |text| text.parse().ok())
    }

    /// A number that is finite. Reports what is none.
    pub fn float(self, name: &str) -> Option<f32> {
        self.parsed(name, float)
    }

    /// The points of a polygon.
    pub fn points(self) -> Vec<Vec2> {
        let point = |text: &str| {
            let (x, y) = text.split_once(',')?;
            Some(Vec2::new(float(x)?, float(y)?))
        };
        let points = self.parsed("points", |text| {
            text.split_whitespace().map(point).collect()
        });
        points.unwrap_or_default()
    }

    fn parsed<T>(self, name: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let text = self.get(name)?;
        let parsed = parse(text.trim());
        if parsed.is_none() {
            self.report_attribute(name, text);
        }
        parsed
    }

    pub fn report_attribute(self, name: &str, found: &str) {
        let [name, found] = [name, found].map(String::from);
        self.report(TiledProblem::Attribute { name, found });
    }

    /// Whether it is in too many others, which is reported.
    pub fn is_too_deep(self) -> bool {
        let is_too_deep = self.node.ancestors().nth(MAX_DEPTH).is_some();
        if is_too_deep {
            self.report(TiledProblem::TooDeep);
        }
        is_too_deep
    }

    pub fn report(self, problem: TiledProblem) {
        self.report_all(self.location(), problem, 1);
    }

    /// Something is wrong this many times, for the first time at `location`.
    pub fn report_all(self, location: MapLocation, problem: TiledProblem, count: usize) {
        let mut error = TiledError::new(self.file.path, problem).at_line(self.line());
        (error.layer, error.location, error.count) = (self.layer(), location, count);
        self.file.files.report(error);
    }

    /// The name of the layer that it is in.
    fn layer(self) -> Option<String> {
        const LAYERS: [&str; 4] = ["layer", "objectgroup", "imagelayer", "group"];
        let mut layers = self.node.ancestors().filter(|node| {
            let is_of_tile = node.parent().is_some_and(is_tile);
            LAYERS.contains(&node.tag_name().name()) && !is_of_tile
        });
        let name = layers.next()?.attribute("name");
        Some(name.unwrap_or_default().into())
    }

    /// The tile or the object that it is in.
    fn location(self) -> MapLocation {
        let within = |is_it: fn(Node) -> bool| self.node.ancestors().find(|node| is_it(*node));
        let id = |node: Node| node.attribute("id").and_then(|id| id.parse().ok());
        let id = |node: Node| id(node).unwrap_or(0);
        match (within(is_tile), within(|it| it.has_tag_name("object"))) {
            (Some(tile), object) => MapLocation::Tile {
                id: id(tile),
                object: object.map(id),
            },
            (None, Some(object)) => MapLocation::Object {
                id: id(object),
                name: object.attribute("name").unwrap_or_default().into(),
            },
            (None, None) => MapLocation::Whole,
        }
    }
}

/// Whether it is a tile of a tileset, and not of a cell.
fn is_tile(node: Node) -> bool {
    node.has_tag_name("tile") && node.parent().is_some_and(|it| it.has_tag_name("tileset"))
}

/// A number that is finite.
pub(crate) fn float(text: &str) -> Option<f32> {
    text.parse().ok().filter(|it: &f32| it.is_finite())
}
