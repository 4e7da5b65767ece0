//! A pack's id. It depends on the index and the request, and on nothing else.

use sha2::{Digest as _, Sha256};

use crate::record::pack::PackId;
use crate::record::request::PackRequest;

/// A hash of the index's signature and the canonical request.
pub fn pack_id(index_signature: &str, request: &PackRequest) -> PackId {
    let request = serde_json_canonicalizer::to_vec(request).expect("a request is JSON");
    PackId::of_digest(&hex(&[index_signature.as_bytes(), &request]))
}

/// The signature of an index that consists of several stages.
pub fn index_signature<'s>(stages: impl Iterator<Item = &'s str>) -> String {
    let parts: Vec<&[u8]> = stages.flat_map(|stage| [stage.as_bytes(), b"\n"]).collect();
    format!("sha256:{}", hex(&parts))
}

fn hex(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
