//! Mends the cells of a layer: all encodings become one, with as many cells as there have to be.

use std::collections::BTreeSet;

use quick_xml::events::{BytesStart, BytesText, Event};

use crate::{
    attributes::Attributes,
    cell_data,
    error::{TiledLocation, TiledProblem},
    repair::{Element, FLIPS, HEXAGONAL, Repair},
};

/// The content of a layer's data, or of a chunk of it.
#[derive(Default)]
struct Chunk {
    attributes: Attributes,
    text: String,
    /// From elements, the oldest encoding.
    gids: Vec<u32>,
}

impl Repair<'_> {
    /// Writes the cells of a layer anew.
    pub fn data(&mut self, attributes: &Attributes, is_empty: bool) -> Result<(), String> {
        let (whole, chunks) = if is_empty {
            Default::default()
        } else {
            self.read_chunks()?
        };
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

    /// What is in an open `<data>`, up to its end: directly, and in chunks.
    fn read_chunks(&mut self) -> Result<(Chunk, Vec<Chunk>), String> {
        let mut whole = Chunk::default();
        let mut chunks: Vec<Chunk> = Vec::new();
        loop {
            let event = self.next()?;
            let current = chunks.last_mut().unwrap_or(&mut whole);
            match event {
                Event::Eof => return Err("it ends too early".into()),
                Event::End(end) if end.name().as_ref() == b"data" => return Ok((whole, chunks)),
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
    }

    fn chunk(&mut self, data: &Attributes, chunk: &Chunk) -> Result<(), String> {
        let size = ["width", "height"].map(|name| chunk.attributes.number(name).unwrap_or(0));
        let first = ["x", "y"].map(|name| chunk.attributes.number(name));
        let is_near = |it: i32| it.unsigned_abs() <= 1 << 24;
        let cells = u64::saturating_mul(size[0], size[1]);
        let [Some(x), Some(y)] = first.map(|it| it.filter(|it| is_near(*it))) else {
            self.report(TiledProblem::Data(format!("a chunk is at {first:?}")));
            return Ok(());
        };
        if !(1..=1 << 20).contains(&cells) {
            self.report(TiledProblem::Data(format!("a chunk has the size {size:?}")));
            return Ok(());
        }
        let csv = self.csv(data, chunk, size, [x, y]);
        let element = chunk.attributes.write("chunk");
        self.write(Event::Start(element.borrow()))?;
        self.write(Event::Text(BytesText::new(&csv)))?;
        self.write(Event::End(element.to_end()))
    }

    /// The cells with commas between them, as many as the size says.
    fn csv(&mut self, data: &Attributes, chunk: &Chunk, size: [u64; 2], first: [i32; 2]) -> String {
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
                    self.report(TiledProblem::CellCount { expected, found });
                }
                cells
            }
            Err(error) => {
                self.report(TiledProblem::Data(error));
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
                let location = TiledLocation::Cell {
                    x: first[0] + (index % width) as i32,
                    y: first[1] + (index / width) as i32,
                };
                self.report_at(location, TiledProblem::UnknownGid { gid });
            }
        }
        let mut csv = String::with_capacity(2 * cells.len());
        for cell in cells {
            if !csv.is_empty() {
                csv.push(',');
            }
            // Most cells of a large layer are empty.
            if cell == 0 {
                csv.push('0');
            } else {
                csv += &cell.to_string();
            }
        }
        csv
    }
}
