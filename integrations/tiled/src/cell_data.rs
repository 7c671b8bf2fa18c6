//! Decodes the cells of a layer.

use std::io::Read;

use base64::{Engine, prelude::BASE64_STANDARD};

/// More bytes than this are not the cells of a layer.
const MAX_BYTES: u64 = 1 << 28;

/// The numbers in the text of a layer or a chunk, with this `encoding` and `compression`.
pub(crate) fn decode(
    text: &str,
    encoding: Option<&str>,
    compression: Option<&str>,
) -> Result<Vec<u32>, String> {
    match encoding {
        Some("csv") => {
            let numbers = text.split(',').map(str::trim).filter(|it| !it.is_empty());
            numbers
                .map(|number| {
                    number
                        .parse()
                        .map_err(|_| format!("`{number}` is not a number"))
                })
                .collect()
        }
        Some("base64") => {
            let text: String = text.split_whitespace().collect();
            let bytes = BASE64_STANDARD.decode(text).map_err(|it| it.to_string())?;
            let bytes = decompress(&bytes, compression)?;
            let numbers = bytes.chunks_exact(4);
            Ok(numbers
                .map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]]))
                .collect())
        }
        Some(other) => Err(format!("the encoding `{other}` is unknown")),
        None => Err("there is no encoding".into()),
    }
}

fn decompress(bytes: &[u8], compression: Option<&str>) -> Result<Vec<u8>, String> {
    let mut decompressed = Vec::new();
    let read = match compression {
        None | Some("") => return Ok(bytes.into()),
        Some("zlib") => flate2::read::ZlibDecoder::new(bytes)
            .take(MAX_BYTES)
            .read_to_end(&mut decompressed),
        Some("gzip") => flate2::read::GzDecoder::new(bytes)
            .take(MAX_BYTES)
            .read_to_end(&mut decompressed),
        Some("zstd") => zstd::stream::read::Decoder::new(bytes)
            .and_then(|decoder| decoder.take(MAX_BYTES).read_to_end(&mut decompressed)),
        Some(other) => return Err(format!("the compression `{other}` is unknown")),
    };
    // What was decompressed before an error is kept.
    match read {
        Err(error) if decompressed.is_empty() => Err(error.to_string()),
        _ => Ok(decompressed),
    }
}
