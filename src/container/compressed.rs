//! The compressed form of a bundle (`CCOB`).
//!
//! Spec: Clang documentation, "Clang Offload Bundler", "Compression and Decompression". A header, then the bundle as one zstd frame or
//! zlib stream. Versions, in bytes: 1 has magic 4, version 2, method 2, raw size 4, hash 8; 2 a file size (4) before the raw size;
//! 3 makes both sizes 8. The hash is the first half of the MD5 of the raw bytes. The end of the file is where the size says:
//! the payload may contain the magic.

use super::{BundleError, number};
use md5::{Digest, Md5};
use ruzstd::encoding::CompressionLevel;
use std::io::Read;

const MAGIC: &[u8] = b"CCOB";
const ZLIB: u64 = 0;
const ZSTD: u64 = 1;
/// Raw sizes above this are refused before anything is unpacked.
const MAX_RAW_BYTES: u64 = 1 << 32;
/// What runtimes of ROCm 6 read too.
const WRITTEN_VERSION: u16 = 2;
const WRITTEN_HEADER_BYTES: usize = 24;

pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Packs a bundle: version 2, zstd.
pub fn compress(bundle: &[u8]) -> Result<Vec<u8>, BundleError> {
    let payload = ruzstd::encoding::compress_to_vec(bundle, CompressionLevel::Fastest);
    let sizes = (u32::try_from(WRITTEN_HEADER_BYTES + payload.len()), u32::try_from(bundle.len()));
    let (Ok(file_bytes), Ok(raw_bytes)) = sizes else {
        return Err(BundleError(format!("a bundle of {} bytes is too large to be compressed", bundle.len())));
    };
    let mut out = MAGIC.to_vec();
    out.extend(WRITTEN_VERSION.to_le_bytes());
    out.extend((ZSTD as u16).to_le_bytes());
    out.extend(file_bytes.to_le_bytes());
    out.extend(raw_bytes.to_le_bytes());
    out.extend(hash(bundle));
    out.extend(payload);
    Ok(out)
}

fn hash(bytes: &[u8]) -> [u8; 8] {
    let digest = Md5::digest(bytes);
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    first
}

/// The bundle at the start of `bytes`, and how many bytes of them it takes.
pub(super) fn decompress(bytes: &[u8]) -> Result<(Vec<u8>, usize), BundleError> {
    let fail = |text: String| Err(BundleError(format!("compressed offload bundle: {text}")));
    let (Some(version), Some(method)) = (number::<2>(bytes, 4), number::<2>(bytes, 6)) else {
        return fail("it ends within its header".into());
    };
    let whole = Some(bytes.len() as u64);
    let (file_bytes, raw_bytes, hash_at) = match version {
        1 => (whole, number::<4>(bytes, 8), 12),
        2 => (number::<4>(bytes, 8), number::<4>(bytes, 12), 16),
        3 => (number::<8>(bytes, 8), number::<8>(bytes, 16), 24),
        _ => return fail(format!("version {version} is not one of 1, 2, 3")),
    };
    let end = file_bytes.and_then(|n| usize::try_from(n).ok());
    let payload = end.and_then(|end| bytes.get(hash_at + 8..end));
    let (Some(payload), Some(raw_bytes), Some(end)) = (payload, raw_bytes, end) else {
        return fail("it ends before the size of its header".into());
    };
    if raw_bytes > MAX_RAW_BYTES {
        return fail(format!("{raw_bytes} bytes unpacked are more than can be true"));
    }
    let limit = raw_bytes as usize;
    let raw = match method {
        ZSTD => {
            let mut raw = vec![];
            ruzstd::decoding::StreamingDecoder::new(payload)
                .map_err(|e| e.to_string())
                .and_then(|frame| frame.take(raw_bytes + 1).read_to_end(&mut raw).map_err(|e| e.to_string()))
                .map(|_| raw)
        }
        ZLIB => miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(payload, limit).map_err(|e| e.to_string()),
        _ => return fail(format!("method {method} is neither zlib (0) nor zstd (1)")),
    };
    match raw {
        Err(text) => fail(text),
        Ok(raw) if raw.len() != limit => fail(format!("it unpacks to {} bytes, not to {limit}", raw.len())),
        Ok(raw) if bytes[hash_at..hash_at + 8] != hash(&raw) => fail("its hash does not match its content".into()),
        Ok(raw) => Ok((raw, end)),
    }
}
