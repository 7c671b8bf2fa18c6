//! Repairs the cells of a layer: all encodings become one, with as many cells as there have to be.

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

impl Chunk {
    fn is_empty(&self) -> bool {
        self.gids.is_empty() && self.text.trim().is_empty()
    }
}

/// What holds for all cells of a layer.
struct LayerData<'a> {
    attributes: &'a Attributes,
    /// The numbers of no tileset that were reported.
    unknown: BTreeSet<u32>,
}

impl Repair<'_> {
    /// Writes the cells of a layer anew.
    pub fn data(&mut self, attributes: &Attributes, is_empty: bool) -> Result<(), String> {
        let Some(&Element::Layer { size, .. }) = self.open.last() else {
            return Ok(());
        };
        let (whole, chunks) = if is_empty {
            Default::default()
        } else {
            self.read_chunks()?
        };
        let mut layer = LayerData {
            attributes,
            unknown: BTreeSet::new(),
        };
        let data = BytesStart::new("data").with_attributes([("encoding", "csv")]);
        if self.is_infinite {
            self.write(Event::Start(data.borrow()))?;
            if !whole.is_empty() {
                let cells = self.csv(&mut layer, &whole, size, [0, 0]);
                let [width, height] = size.map(|it| it.to_string());
                let mut chunk = Attributes::default();
                for (name, value) in ["x", "y", "width", "height"]
                    .iter()
                    .zip(["0", "0", &width, &height])
                {
                    chunk.set(name, value);
                }
                self.cells(chunk.write("chunk"), &cells)?;
            }
            for chunk in chunks {
                self.chunk(&mut layer, &chunk)?;
            }
            return self.write(Event::End(data.to_end()));
        }
        let cells = self.csv(&mut layer, &whole, size, [0, 0]);
        self.cells(data, &cells)
    }

    /// An element around cells, if there are any.
    fn cells(&mut self, element: BytesStart, cells: &str) -> Result<(), String> {
        if cells.is_empty() {
            return Ok(());
        }
        self.write(Event::Start(element.borrow()))?;
        self.write(Event::Text(BytesText::new(cells)))?;
        self.write(Event::End(element.to_end()))
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

    fn chunk(&mut self, layer: &mut LayerData, chunk: &Chunk) -> Result<(), String> {
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
        let cells = self.csv(layer, chunk, size, [x, y]);
        self.cells(chunk.attributes.write("chunk"), &cells)
    }

    /// The cells with commas between them, as many as the size has.
    fn csv(
        &mut self,
        layer: &mut LayerData,
        chunk: &Chunk,
        size: [u64; 2],
        first: [i32; 2],
    ) -> String {
        let mut cells = self.decoded(layer.attributes, chunk, size[0] * size[1]);
        for (index, cell) in cells.iter_mut().enumerate() {
            *cell &= !HEXAGONAL;
            let gid = *cell & !FLIPS;
            if gid == 0 || !self.is_unknown(gid) {
                continue;
            }
            *cell = 0;
            if layer.unknown.insert(gid) {
                let index = index as u64;
                let location = TiledLocation::Cell {
                    x: first[0] + (index % size[0]) as i32,
                    y: first[1] + (index / size[0]) as i32,
                };
                self.report_at(location, TiledProblem::UnknownGid { gid });
            }
        }
        csv(&cells)
    }

    /// This many cells.
    fn decoded(&mut self, data: &Attributes, chunk: &Chunk, expected: u64) -> Vec<u32> {
        let [encoding, compression] = ["encoding", "compression"].map(|name| data.get(name));
        let cells = match encoding {
            None => Ok(chunk.gids.clone()),
            Some(_) => cell_data::decode(&chunk.text, encoding, compression),
        };
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
        cells
    }
}

fn csv(cells: &[u32]) -> String {
    let mut csv = String::with_capacity(2 * cells.len());
    for cell in cells {
        if !csv.is_empty() {
            csv.push(',');
        }
        // Most cells of a large layer are empty.
        if *cell == 0 {
            csv.push('0');
        } else {
            csv += &cell.to_string();
        }
    }
    csv
}
