//! Repairs what the crate `tiled` would refuse, so that the rest of a file loads.

use std::path::Path;

use quick_xml::{
    Reader, Writer,
    events::{BytesStart, Event},
};

use crate::{
    attributes::{Attributes, Number},
    error::{TiledError, TiledLocation, TiledProblem},
    file_kind::{FileKind, References},
};

/// A layer or a chunk of more cells than this is a mistake.
const MAX_CELLS: u64 = 1 << 26;
/// A tileset of more tiles than this is a mistake: an image of 8192 by 8192 pixels has this many of
/// 16 by 16.
const MAX_TILES: u64 = 1 << 18;
/// Elements in each other, which `tiled` reads by recursion.
const MAX_DEPTH: usize = 64;
/// The bits of flips, of which orthogonal maps use the upper three.
pub(crate) const FLIPS: u32 = 0xF000_0000;
pub(crate) const HEXAGONAL: u32 = 0x1000_0000;
/// The types of properties of Tiled 1.12.
const PROPERTY_TYPES: [&str; 10] = [
    "string", "int", "float", "bool", "color", "file", "object", "class", "list", "",
];

/// A file that `tiled` can read.
pub(crate) struct Repaired {
    pub bytes: Vec<u8>,
    pub errors: Vec<TiledError>,
    pub references: References,
}

/// Repairs a file.
///
/// # Errors
///
/// Returns an error if it is not XML, or ends too early.
pub(crate) fn repair(file: &Path, bytes: &[u8]) -> Result<Repaired, String> {
    let mut repair = Repair {
        file,
        reader: Reader::from_reader(bytes),
        writer: Writer::new(Vec::with_capacity(bytes.len())),
        errors: Vec::new(),
        references: References::new(),
        first_gids: Vec::new(),
        is_infinite: false,
        open: Vec::new(),
    };
    repair.run()?;
    Ok(Repaired {
        bytes: repair.writer.into_inner(),
        errors: repair.errors,
        references: repair.references,
    })
}

/// An element that is open.
pub(crate) enum Element {
    Layer { name: String, size: [u64; 2] },
    Tileset,
    Tile { id: u32 },
    Object { id: u32, name: String },
    Other,
}

pub(crate) struct Repair<'a> {
    file: &'a Path,
    reader: Reader<&'a [u8]>,
    writer: Writer<Vec<u8>>,
    errors: Vec<TiledError>,
    references: References,
    first_gids: Vec<u32>,
    pub is_infinite: bool,
    pub open: Vec<Element>,
}

impl<'a> Repair<'a> {
    fn run(&mut self) -> Result<(), String> {
        let mut has_root = false;
        loop {
            match self.next()? {
                Event::Eof if has_root && self.open.is_empty() => return Ok(()),
                Event::Eof => return Err("it ends too early".into()),
                Event::Start(element) => self.element(&element, false)?,
                Event::Empty(element) => self.element(&element, true)?,
                Event::End(element) => {
                    self.open.pop();
                    self.write(Event::End(element))?;
                }
                other => {
                    self.write(other)?;
                    continue;
                }
            }
            has_root = true;
        }
    }

    pub fn next(&mut self) -> Result<Event<'a>, String> {
        self.reader.read_event().map_err(|error| {
            let position = self.reader.buffer_position();
            format!("{error}, at byte {position}")
        })
    }

    pub fn write(&mut self, event: Event) -> Result<(), String> {
        let written = self.writer.write_event(event);
        written.map_err(|error| error.to_string())
    }

    fn element(&mut self, element: &BytesStart<'a>, is_empty: bool) -> Result<(), String> {
        if self.open.len() == MAX_DEPTH {
            self.report(TiledProblem::TooDeep);
            return self.skip(element, is_empty);
        }
        let name = String::from_utf8_lossy(element.name().into_inner()).into_owned();
        let mut attributes = Attributes::read(element)?;
        let is_in_layer = matches!(self.open.last(), Some(Element::Layer { .. }));
        if name == "data" && is_in_layer {
            return self.data(&attributes, is_empty);
        }
        let is_property = name == "property" || name == "item";
        if is_property && !self.property(&name, &mut attributes) {
            return self.skip(element, is_empty);
        }
        if name == "tileset" && !self.open.is_empty() && is_without_size(&attributes) {
            self.skip(element, is_empty)?;
            return self.tileset_without_size(attributes);
        }
        let opened = self.opened(&name, &mut attributes);
        let element = attributes.write(&name);
        if is_empty {
            return self.write(Event::Empty(element));
        }
        self.open.push(opened);
        self.write(Event::Start(element))
    }

    /// Repairs the attributes of an element by its name and by what it is in.
    fn opened(&mut self, name: &str, attributes: &mut Attributes) -> Element {
        let is_in_tile = matches!(self.open.last(), Some(Element::Tile { .. }));
        let is_in_tileset = matches!(self.open.last(), Some(Element::Tileset));
        match name {
            "map" => {
                self.is_infinite = attributes.get("infinite") == Some("1");
                Element::Other
            }
            "tileset" => self.tileset(attributes),
            "layer" | "objectgroup" | "imagelayer" | "group" if !is_in_tile => {
                self.layer(name, attributes)
            }
            "tile" if is_in_tileset => Element::Tile {
                id: attributes.number("id").unwrap_or(0),
            },
            "object" => self.object(attributes),
            "polygon" | "polyline" => {
                self.points(attributes);
                Element::Other
            }
            _ => Element::Other,
        }
    }

    /// Writes an empty one instead, so that the numbers of others stay.
    fn tileset_without_size(&mut self, mut attributes: Attributes) -> Result<(), String> {
        self.report(TiledProblem::NoTileSize);
        let empty = [("tilewidth", "1"), ("tileheight", "1"), ("tilecount", "0")];
        for (name, value) in empty.into_iter().chain([("columns", "0")]) {
            attributes.set(name, value);
        }
        self.tileset(&mut attributes);
        self.write(Event::Empty(attributes.write("tileset")))
    }

    /// Goes on behind an element.
    fn skip(&mut self, element: &BytesStart<'a>, is_empty: bool) -> Result<(), String> {
        if !is_empty {
            let skipped = self.reader.read_to_end(element.to_end().name());
            skipped.map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn layer(&mut self, tag: &str, attributes: &mut Attributes) -> Element {
        let name = attributes.get("name").unwrap_or_default().to_owned();
        let mut numbers = vec![("id", Number::Natural)];
        let floats = ["offsetx", "offsety", "parallaxx", "parallaxy", "opacity"];
        numbers.extend(floats.map(|name| (name, Number::Float)));
        numbers.push(("visible", Number::Integer));
        if tag == "layer" {
            numbers.extend([("width", Number::Natural), ("height", Number::Natural)]);
        }
        let size = |attributes: &Attributes| {
            ["width", "height"].map(|name| attributes.number(name).unwrap_or(0))
        };
        self.open.push(Element::Layer {
            name: name.clone(),
            size: size(attributes),
        });
        self.numbers(attributes, &numbers);
        let [width, height] = size(attributes);
        if tag == "layer" && width.saturating_mul(height) > MAX_CELLS {
            let found = format!("{width}, with the height {height}");
            self.report(TiledProblem::Attribute {
                name: "width".into(),
                found,
            });
            attributes.set("width", "0");
        }
        if tag == "layer" {
            for name in ["width", "height"] {
                if attributes.get(name).is_none() {
                    attributes.set(name, "0");
                }
            }
        }
        self.open.pop();
        let size = size(attributes);
        Element::Layer { name, size }
    }

    fn tileset(&mut self, attributes: &mut Attributes) -> Element {
        self.first_gids.extend(attributes.number::<u32>("firstgid"));
        self.refer(attributes.get("source"), FileKind::Tileset);
        if let Some(found) = attributes.number::<u64>("tilecount")
            && found > MAX_TILES
        {
            let read = MAX_TILES;
            self.report(TiledProblem::TooManyTiles { found, read });
            attributes.set("tilecount", &read.to_string());
        }
        // `tiled` would count them, by numbers that may overflow.
        let is_counted = attributes.get("columns").is_none();
        let is_nonzero = |name: &&str| !matches!(attributes.get(name), None | Some("0"));
        if is_counted && ["margin", "spacing"].iter().any(is_nonzero) {
            let name = "columns".into();
            let found = String::new();
            self.report(TiledProblem::Attribute { name, found });
            attributes.set("columns", "0");
        }
        Element::Tileset
    }

    fn refer(&mut self, path: Option<&str>, kind: FileKind) {
        if let Some(path) = path {
            let folder = self.file.parent().unwrap_or(Path::new(""));
            self.references.insert(folder.join(path), kind);
        }
    }

    fn object(&mut self, attributes: &mut Attributes) -> Element {
        let id = attributes.number("id").unwrap_or(0);
        let name = attributes.get("name").unwrap_or_default().to_owned();
        self.refer(attributes.get("template"), FileKind::Template);
        let named = Element::Object {
            id,
            name: name.clone(),
        };
        self.open.push(named);
        let mut numbers = vec![("id", Number::Natural), ("gid", Number::Natural)];
        let floats = ["x", "y", "width", "height", "rotation", "opacity"];
        numbers.extend(floats.map(|name| (name, Number::Float)));
        numbers.push(("visible", Number::Integer));
        self.numbers(attributes, &numbers);
        if let Some(gid) = attributes.number::<u32>("gid") {
            let number = gid & !FLIPS;
            if number != 0 && self.is_unknown(number) {
                self.report(TiledProblem::UnknownGid { gid: number });
                attributes.remove("gid");
            } else {
                attributes.set("gid", &(gid & !HEXAGONAL).to_string());
            }
        }
        self.open.pop();
        Element::Object { id, name }
    }

    /// Removes what is not a number.
    fn numbers(&mut self, attributes: &mut Attributes, numbers: &[(&str, Number)]) {
        for (name, number) in numbers {
            if let Some(found) = attributes.get(name)
                && !number.is_one(found)
            {
                let (name, found) = ((*name).to_owned(), found.to_owned());
                attributes.remove(&name);
                self.report(TiledProblem::Attribute { name, found });
            }
        }
    }

    fn points(&mut self, attributes: &mut Attributes) {
        let found = attributes.get("points").unwrap_or_default().to_owned();
        let points: Vec<&str> = found.split_whitespace().collect();
        let is_point = |point: &&str| {
            let coordinates = point.split_once(',');
            coordinates.is_some_and(|(x, y)| Number::Float.is_one(x) && Number::Float.is_one(y))
        };
        if points.iter().all(is_point) && !points.is_empty() {
            attributes.set("points", &points.join(" "));
        } else {
            let name = "points".into();
            self.report(TiledProblem::Attribute { name, found });
            attributes.set("points", "0,0");
        }
    }

    /// Whether a property can be read, after it was repaired.
    fn property(&mut self, tag: &str, attributes: &mut Attributes) -> bool {
        if tag == "property" && attributes.get("name").is_none() {
            let name = "name".into();
            let found = String::new();
            self.report(TiledProblem::Attribute { name, found });
            return false;
        }
        let name = attributes.get("name").unwrap_or_default().to_owned();
        let kind = attributes.get("type").unwrap_or_default().to_owned();
        let found = attributes.get("value").unwrap_or_default().to_owned();
        if !PROPERTY_TYPES.contains(&kind.as_str()) {
            attributes.remove("type");
            self.report(TiledProblem::PropertyType { name, found: kind });
            return true;
        }
        let (is_fit, expected) = match kind.as_str() {
            "" => {
                attributes.remove("type");
                return true;
            }
            "bool" => (found.parse::<bool>().is_ok(), "true or false"),
            "int" => (Number::Integer.is_one(&found), "a whole number"),
            "float" => (Number::Float.is_one(&found), "a number"),
            "object" => (Number::Natural.is_one(&found), "the number of an object"),
            // A color that is not set.
            "color" if found.is_empty() => {
                attributes.remove("type");
                attributes.set("value", "");
                return true;
            }
            "color" => (found.parse::<tiled::Color>().is_ok(), "a color"),
            _ => return true,
        };
        if !is_fit {
            self.report(TiledProblem::PropertyValue {
                name,
                found,
                expected,
            });
        }
        is_fit
    }

    /// Whether no tileset begins at or before a global number.
    pub fn is_unknown(&self, gid: u32) -> bool {
        !self.first_gids.iter().any(|first| *first <= gid)
    }

    pub fn report(&mut self, problem: TiledProblem) {
        let mut tile = None;
        let mut object = None;
        for element in &self.open {
            match element {
                Element::Tile { id } => tile = Some(*id),
                Element::Object { id, name } => object = Some((*id, name.clone())),
                _ => {}
            }
        }
        let location = match (tile, object) {
            (Some(id), object) => TiledLocation::Tile {
                id,
                object: object.map(|(id, _)| id),
            },
            (None, Some((id, name))) => TiledLocation::Object { id, name },
            (None, None) => TiledLocation::Whole,
        };
        self.report_at(location, problem);
    }

    pub fn report_at(&mut self, location: TiledLocation, problem: TiledProblem) {
        let layers = self.open.iter().rev();
        let mut layer = layers.filter_map(|element| match element {
            Element::Layer { name, .. } => Some(name.clone()),
            _ => None,
        });
        self.errors.push(TiledError {
            file: self.file.into(),
            layer: layer.next(),
            location,
            problem,
        });
    }
}

/// Whether this is a tileset within the file whose tiles have no width or no height.
fn is_without_size(attributes: &Attributes) -> bool {
    let is_zero = |name: &str| attributes.number(name) == Some(0_u32);
    attributes.get("source").is_none() && (is_zero("tilewidth") || is_zero("tileheight"))
}
