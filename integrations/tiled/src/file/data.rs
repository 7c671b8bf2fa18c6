//! Decodes the data of a layer's cells.

use std::io::Read;

use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::read::{GzDecoder, ZlibDecoder};

use super::xml::Element;

/// More bytes than this are not the cells of a layer.
const MAX_BYTES: u64 = 1 << 28;

/// The global numbers of cells.
#[derive(Default)]
pub(crate) struct Decoded {
    pub gids: Vec<u32>,
    /// The indices of cells, which are empty, since this is not a number.
    pub malformed: Vec<(usize, String)>,
}

/// The numbers in a layer's data or a chunk, with this `encoding` and `compression`.
pub(crate) fn decode(
    element: Element,
    encoding: Option<&str>,
    compression: Option<&str>,
) -> Result<Decoded, String> {
    let mut decoded = Decoded::default();
    match encoding {
        None => {
            let tiles = element.children_of("tile");
            decoded.gids = tiles.map(|tile| tile.int("gid").unwrap_or(0)).collect();
        }
        Some("csv") => {
            let text = element.text();
            let numbers = text.split(',').map(str::trim).filter(|it| !it.is_empty());
            for (index, number) in numbers.enumerate() {
                decoded.gids.push(number.parse().unwrap_or_else(|_| {
                    decoded.malformed.push((index, number.into()));
                    0
                }));
            }
        }
        Some("base64") => {
            let text: String = element.text().split_whitespace().collect();
            let bytes = BASE64_STANDARD.decode(text).map_err(|it| it.to_string())?;
            let bytes = decompress(&bytes, compression)?;
            let gids = bytes.as_chunks().0.iter();
            decoded.gids = gids.map(|bytes| u32::from_le_bytes(*bytes)).collect();
        }
        Some(other) => return Err(format!("the encoding `{other}` is unknown")),
    }
    Ok(decoded)
}

fn decompress(bytes: &[u8], compression: Option<&str>) -> Result<Vec<u8>, String> {
    let decoder: Box<dyn Read> = match compression {
        None | Some("") => return Ok(bytes.into()),
        Some("zlib") => Box::new(ZlibDecoder::new(bytes)),
        Some("gzip") => Box::new(GzDecoder::new(bytes)),
        Some("zstd") => {
            let decoder = zstd::stream::read::Decoder::new(bytes);
            Box::new(decoder.map_err(|error| error.to_string())?)
        }
        Some(other) => return Err(format!("the compression `{other}` is unknown")),
    };
    let mut decompressed = Vec::new();
    let read = decoder.take(MAX_BYTES).read_to_end(&mut decompressed);
    // What was decompressed before an error is kept.
    match read {
        Err(error) if decompressed.is_empty() => Err(error.to_string()),
        _ => Ok(decompressed),
    }
}
