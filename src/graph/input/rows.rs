//! Canonical lines of `symbols` and `references` as rows.

use std::borrow::Cow;

use super::{FlowRow, Parameters, Reference, References, Sites, SymbolRow};
use crate::record::{Binding, Scan};

/// A row that a canonical line gives; nothing if the line is another's.
pub trait Row<'l>: Sized {
    fn read(line: &'l str) -> Option<Self> {
        let mut scan = Scan::new(line);
        let row = Self::scan(&mut scan)?;
        scan.is_done().then_some(row)
    }

    fn scan(scan: &mut Scan<'l>) -> Option<Self>;
}

impl<'l> Row<'l> for SymbolRow<'l> {
    fn scan(scan: &mut Scan<'l>) -> Option<Self> {
        scan.expect("{\"byteRange\":")?;
        scan.range()?;
        scan.expect(",\"chunkUid\":")?;
        let chunk_uid = scan.chunk_uid()?;
        scan.optional(",\"doc\":", Scan::skip_text)?;
        scan.expect(",\"exported\":")?;
        let exported = scan.truth()?;
        scan.expect(",\"fileRelPath\":")?;
        let file_rel_path = scan.text()?;
        scan.expect(",\"kind\":")?;
        let kind = scan.word()?;
        scan.expect(",\"languageId\":")?;
        let language_id = scan.text()?;
        scan.expect(",\"lines\":")?;
        scan.range()?;
        scan.expect(",\"name\":")?;
        let name = scan.text()?;
        let parameters = scan.optional(",\"parameters\":", parameters)?.unwrap_or_default();
        scan.expect(",\"qualifiedName\":")?;
        let qualified_name = scan.text()?;
        scan.expect(",\"range\":")?;
        let range = scan.range()?;
        scan.optional(",\"signature\":", Scan::skip_text)?;
        scan.expect(",\"site\":")?;
        let site = scan.site()?;
        scan.expect(",\"symbolId\":")?;
        let symbol_id = scan.text()?;
        let value_type = scan.optional(",\"type\":", Scan::text)?;
        scan.expect("}")?;
        Some(SymbolRow {
            chunk_uid,
            exported,
            file_rel_path,
            kind,
            language_id,
            name,
            parameters,
            qualified_name,
            range,
            site,
            symbol_id,
            value_type,
        })
    }
}

fn parameters<'l>(scan: &mut Scan<'l>) -> Option<Parameters<'l>> {
    let mut parameters = Parameters::default();
    scan.list(|scan| {
        scan.expect("{\"name\":")?;
        scan.skip_text()?;
        let value_type = scan.optional(",\"type\":", Scan::text)?;
        if parameters.count == 0 {
            parameters.first_type = value_type;
        }
        parameters.count += 1;
        scan.expect("}")
    })?;
    Some(parameters)
}

impl<'l> Row<'l> for References<'l> {
    fn scan(scan: &mut Scan<'l>) -> Option<Self> {
        scan.expect("{\"chunkUid\":")?;
        let chunk_uid = scan.chunk_uid()?;
        scan.expect(",\"fileRelPath\":")?;
        let file_rel_path = scan.text()?;
        scan.expect(",\"languageId\":")?;
        let language_id = scan.text()?;
        scan.expect(",\"references\":")?;
        let mut references = Vec::with_capacity(1 + scan.left() / BYTES_PER_REFERENCE);
        scan.list(|scan| {
            references.push(reference(scan)?);
            Some(())
        })?;
        scan.expect(",\"start\":")?;
        let start = scan.number()?;
        let symbol_id = scan.optional(",\"symbolId\":", Scan::text)?;
        scan.expect("}")?;
        Some(References { chunk_uid, file_rel_path, language_id, references, start, symbol_id })
    }
}

/// What a reference weighs, about: a list that starts with room for all seldom moves.
const BYTES_PER_REFERENCE: usize = 128;

fn reference<'l>(scan: &mut Scan<'l>) -> Option<Reference<'l>> {
    // Any field may be the first, and the first has no comma before it.
    scan.expect("{")?;
    let arguments = scan.optional("\"arguments\":", |scan| ended(scan, Scan::number))?;
    let binding = scan.optional("\"binding\":", |scan| ended(scan, binding))?;
    let flow = scan.optional("\"flow\":", |scan| ended(scan, flow))?;
    scan.expect("\"name\":")?;
    let name = scan.text()?;
    let receiver = scan.optional(",\"receiver\":", Scan::text)?;
    let receiver_type = scan.optional(",\"receiverType\":", Scan::text)?;
    scan.expect(",\"role\":")?;
    let role = scan.word()?;
    scan.expect(",\"sites\":")?;
    let sites = sites(scan)?;
    scan.expect("}")?;
    Some(Reference {
        arguments,
        binding: binding.map(Box::new),
        flow: flow.map(Box::new),
        name,
        receiver,
        receiver_type,
        role,
        sites,
    })
}

/// A field that others follow.
fn ended<'l, T>(scan: &mut Scan<'l>, value: impl FnOnce(&mut Scan<'l>) -> Option<T>) -> Option<T> {
    let value = value(scan)?;
    scan.expect(",").map(|()| value)
}

fn binding(scan: &mut Scan) -> Option<Binding> {
    scan.expect("{")?;
    let mut field = |key| {
        let value = scan.optional(key, Scan::text)?;
        // What follows a field is a comma or the end.
        scan.take(",");
        Some(value.map(Cow::into_owned))
    };
    let [alias, module, name, style] = ["\"alias\":", "\"module\":", "\"name\":", "\"style\":"].map(&mut field);
    let binding = Binding { alias: alias?, module: module?, name: name?, style: style? };
    scan.expect("}").map(|()| binding)
}

fn flow<'l>(scan: &mut Scan<'l>) -> Option<FlowRow<'l>> {
    scan.expect("{")?;
    scan.optional("\"argument\":", |scan| ended(scan, Scan::number))?;
    scan.expect("\"name\":")?;
    let name = scan.text()?;
    let receiver = scan.optional(",\"receiver\":", Scan::text)?;
    scan.expect(",\"source\":")?;
    let source = scan.word()?;
    scan.expect("}")?;
    Some(FlowRow { name, receiver, source })
}

fn sites(scan: &mut Scan) -> Option<Sites> {
    let mut sites = Sites::default();
    scan.list(|scan| {
        sites.push(scan.site()?);
        Some(())
    })?;
    Some(sites)
}
