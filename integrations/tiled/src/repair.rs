//! Mends what the crate `tiled` would refuse, so that the rest of a file loads.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use quick_xml::{
    Reader, Writer,
    events::{BytesStart, BytesText, Event},
};

use crate::{
    attributes::{Attributes, Number},
    cell_data,
    error::{TiledError, TiledPlace, TiledProblem},
};

/// A layer or a chunk of more cells than this is a mistake.
const MAX_CELLS: u64 = 1 << 26;
/// The bits of flips, of which orthogonal maps use the upper three.
const FLIPS: u32 = 0xF000_0000;
const HEXAGONAL: u32 = 0x1000_0000;
/// The types of properties of Tiled 1.12.
const PROPERTY_TYPES: [&str; 10] = [
    "string", "int", "float", "bool", "color", "file", "object", "class", "list", "",
];

/// A file that `tiled` can read.
pub(crate) struct Repaired {
    pub bytes: Vec<u8>,
    pub errors: Vec<TiledError>,
    /// The templates that the file refers to.
    pub templates: BTreeSet<PathBuf>,
}

/// Mends a file.
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
        templates: BTreeSet::new(),
        first_gids: Vec::new(),
        is_infinite: false,
        open: Vec::new(),
    };
    repair.run()?;
    Ok(Repaired {
        bytes: repair.writer.into_inner(),
        errors: repair.errors,
        templates: repair.templates,
    })
}

/// An element that is open.
enum Element {
    Layer { name: String, size: [u64; 2] },
    Tileset,
    Tile { id: u32 },
    Object { id: u32, name: String },
    Other,
}

struct Repair<'a> {
    file: &'a Path,
    reader: Reader<&'a [u8]>,
    writer: Writer<Vec<u8>>,
    errors: Vec<TiledError>,
    templates: BTreeSet<PathBuf>,
    first_gids: Vec<u32>,
    is_infinite: bool,
    open: Vec<Element>,
}

/// The content of a layer's data, or of a chunk of it.
#[derive(Default)]
struct Chunk {
    attributes: Attributes,
    text: String,
    /// From elements, the oldest encoding.
    gids: Vec<u32>,
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

    fn next(&mut self) -> Result<Event<'a>, String> {
        self.reader.read_event().map_err(|error| {
            let position = self.reader.buffer_position();
            format!("{error}, at byte {position}")
        })
    }

    fn write(&mut self, event: Event) -> Result<(), String> {
        let written = self.writer.write_event(event);
        written.map_err(|error| error.to_string())
    }

    fn element(&mut self, element: &BytesStart<'a>, is_empty: bool) -> Result<(), String> {
        let name = String::from_utf8_lossy(element.name().into_inner()).into_owned();
        let mut attributes = Attributes::read(element)?;
        let is_in_layer = matches!(self.open.last(), Some(Element::Layer { .. }));
        let is_in_tile = matches!(self.open.last(), Some(Element::Tile { .. }));
        let is_in_tileset = matches!(self.open.last(), Some(Element::Tileset));
        if name == "data" && is_in_layer {
            return self.data(&attributes, is_empty);
        }
        let keep = name != "property" && name != "item" || self.property(&mut attributes);
        if !keep {
            if !is_empty {
                let skipped = self.reader.read_to_end(element.to_end().name());
                skipped.map_err(|error| error.to_string())?;
            }
            return Ok(());
        }
        let opened = match name.as_str() {
            "map" => {
                self.is_infinite = attributes.get("infinite") == Some("1");
                Element::Other
            }
            "tileset" => {
                self.first_gids.extend(attributes.number::<u32>("firstgid"));
                Element::Tileset
            }
            "layer" | "objectgroup" | "imagelayer" | "group" if !is_in_tile => {
                self.layer(&name, &mut attributes)
            }
            "tile" if is_in_tileset => Element::Tile {
                id: attributes.number("id").unwrap_or(0),
            },
            "object" => self.object(&mut attributes),
            "polygon" | "polyline" => {
                self.points(&mut attributes);
                Element::Other
            }
            _ => Element::Other,
        };
        let element = attributes.write(&name);
        if is_empty {
            return self.write(Event::Empty(element));
        }
        self.open.push(opened);
        self.write(Event::Start(element))
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
            ["width", "height"].map(|side| attributes.number(side).unwrap_or(0))
        };
        self.open.push(Element::Layer {
            name: name.clone(),
            size: size(attributes),
        });
        self.numbers(attributes, &numbers);
        let [width, height] = size(attributes);
        if tag == "layer" && width.saturating_mul(height) > MAX_CELLS {
            let found = format!("{width}, with the height {height}");
            self.complain(TiledProblem::Attribute {
                name: "width".into(),
                found,
            });
            attributes.set("width", "0");
        }
        if tag == "layer" {
            for side in ["width", "height"] {
                if attributes.get(side).is_none() {
                    attributes.set(side, "0");
                }
            }
        }
        self.open.pop();
        let size = size(attributes);
        Element::Layer { name, size }
    }

    fn object(&mut self, attributes: &mut Attributes) -> Element {
        let id = attributes.number("id").unwrap_or(0);
        let name = attributes.get("name").unwrap_or_default().to_owned();
        if let Some(template) = attributes.get("template") {
            let folder = self.file.parent().unwrap_or(Path::new(""));
            self.templates.insert(folder.join(template));
        }
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
                self.complain(TiledProblem::UnknownGid { gid: number });
                attributes.remove("gid");
            } else {
                attributes.set("gid", &(gid & !HEXAGONAL).to_string());
            }
        }
        self.open.pop();
        Element::Object { id, name }
    }

    /// Removes what is no number.
    fn numbers(&mut self, attributes: &mut Attributes, numbers: &[(&str, Number)]) {
        for (name, number) in numbers {
            if let Some(found) = attributes.get(name)
                && !number.is_one(found)
            {
                let (name, found) = ((*name).to_owned(), found.to_owned());
                attributes.remove(&name);
                self.complain(TiledProblem::Attribute { name, found });
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
            self.complain(TiledProblem::Attribute { name, found });
            attributes.set("points", "0,0");
        }
    }

    /// Whether a property can be read, after it was mended.
    fn property(&mut self, attributes: &mut Attributes) -> bool {
        let name = attributes.get("name").unwrap_or_default().to_owned();
        let kind = attributes.get("type").unwrap_or_default().to_owned();
        let found = attributes.get("value").unwrap_or_default().to_owned();
        if !PROPERTY_TYPES.contains(&kind.as_str()) {
            attributes.remove("type");
            self.complain(TiledProblem::PropertyType { name, found: kind });
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
            self.complain(TiledProblem::PropertyValue {
                name,
                found,
                expected,
            });
        }
        is_fit
    }

    /// Writes the cells of a layer anew.
    fn data(&mut self, attributes: &Attributes, is_empty: bool) -> Result<(), String> {
        let mut whole = Chunk::default();
        let mut chunks: Vec<Chunk> = Vec::new();
        while !is_empty {
            let event = self.next()?;
            let current = chunks.last_mut().unwrap_or(&mut whole);
            match event {
                Event::Eof => return Err("it ends too early".into()),
                Event::End(end) if end.name().as_ref() == b"data" => break,
                Event::Start(element) | Event::Empty(element) => {
                    let attributes = Attributes::read(&element)?;
                    if element.name().as_ref() == b"chunk" {
                        chunks.push(Chunk {
                            attributes,
                            ..Chunk::default()
                        });
                    } else if element.name().as_ref() == b"tile" {
                        current.gids.push(attributes.number("gid").unwrap_or(0));
                    }
                }
                Event::Text(text) => current.text += &text.unescape().unwrap_or_default(),
                Event::CData(text) => current.text += &String::from_utf8_lossy(&text),
                _ => {}
            }
        }
        let mut data = BytesStart::new("data");
        data.push_attribute(("encoding", "csv"));
        if self.is_infinite {
            self.write(Event::Start(data.borrow()))?;
            for chunk in chunks {
                self.chunk(attributes, &chunk)?;
            }
            return self.write(Event::End(data.to_end()));
        }
        let Some(&Element::Layer { size, .. }) = self.open.last() else {
            return Ok(());
        };
        let csv = self.csv(attributes, &whole, size, [0, 0]);
        if csv.is_empty() {
            return Ok(());
        }
        self.write(Event::Start(data.borrow()))?;
        self.write(Event::Text(BytesText::new(&csv)))?;
        self.write(Event::End(data.to_end()))
    }

    fn chunk(&mut self, data: &Attributes, chunk: &Chunk) -> Result<(), String> {
        let size = ["width", "height"].map(|name| chunk.attributes.number(name).unwrap_or(0));
        let corner = ["x", "y"].map(|name| chunk.attributes.number(name));
        let is_near = |it: i32| it.unsigned_abs() <= 1 << 24;
        let cells = u64::saturating_mul(size[0], size[1]);
        let [Some(x), Some(y)] = corner.map(|it| it.filter(|it| is_near(*it))) else {
            self.complain(TiledProblem::Data(format!("a chunk is at {corner:?}")));
            return Ok(());
        };
        if !(1..=1 << 20).contains(&cells) {
            self.complain(TiledProblem::Data(format!("a chunk has the size {size:?}")));
            return Ok(());
        }
        let csv = self.csv(data, chunk, size, [x, y]);
        let element = chunk.attributes.write("chunk");
        self.write(Event::Start(element.borrow()))?;
        self.write(Event::Text(BytesText::new(&csv)))?;
        self.write(Event::End(element.to_end()))
    }

    /// The cells with commas between them, as many as the size says.
    fn csv(
        &mut self,
        data: &Attributes,
        chunk: &Chunk,
        size: [u64; 2],
        corner: [i32; 2],
    ) -> String {
        let [width, height] = size;
        let [encoding, compression] = ["encoding", "compression"].map(|name| data.get(name));
        let cells = match encoding {
            None => Ok(chunk.gids.clone()),
            Some(_) => cell_data::decode(&chunk.text, encoding, compression),
        };
        let expected = width * height;
        let mut cells = match cells {
            Ok(cells) => {
                let found = cells.len() as u64;
                if found != expected {
                    self.complain(TiledProblem::CellCount { expected, found });
                }
                cells
            }
            Err(error) => {
                self.complain(TiledProblem::Data(error));
                Vec::new()
            }
        };
        cells.resize(expected as usize, 0);
        let mut unknown = BTreeSet::new();
        for (index, cell) in cells.iter_mut().enumerate() {
            *cell &= !HEXAGONAL;
            let gid = *cell & !FLIPS;
            if gid == 0 || !self.is_unknown(gid) {
                continue;
            }
            *cell = 0;
            if unknown.insert(gid) {
                let index = index as u64;
                let place = TiledPlace::Cell {
                    x: corner[0] + (index % width) as i32,
                    y: corner[1] + (index / width) as i32,
                };
                self.complain_at(place, TiledProblem::UnknownGid { gid });
            }
        }
        let cells: Vec<String> = cells.iter().map(u32::to_string).collect();
        cells.join(",")
    }

    /// Whether no tileset begins at or before a global number.
    fn is_unknown(&self, gid: u32) -> bool {
        !self.first_gids.iter().any(|first| *first <= gid)
    }

    fn complain(&mut self, problem: TiledProblem) {
        let mut tile = None;
        let mut object = None;
        for element in &self.open {
            match element {
                Element::Tile { id } => tile = Some(*id),
                Element::Object { id, name } => object = Some((*id, name.clone())),
                _ => {}
            }
        }
        let place = match (tile, object) {
            (Some(id), object) => TiledPlace::Tile {
                id,
                object: object.map(|(id, _)| id),
            },
            (None, Some((id, name))) => TiledPlace::Object { id, name },
            (None, None) => TiledPlace::Whole,
        };
        self.complain_at(place, problem);
    }

    fn complain_at(&mut self, place: TiledPlace, problem: TiledProblem) {
        let layers = self.open.iter().rev();
        let mut layer = layers.filter_map(|element| match element {
            Element::Layer { name, .. } => Some(name.clone()),
            _ => None,
        });
        self.errors.push(TiledError {
            file: self.file.into(),
            layer: layer.next(),
            place,
            problem,
        });
    }
}
