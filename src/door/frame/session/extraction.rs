//! A frame from what was extracted of a request, and what later extractions change.

use crate::record::Score;
use crate::record::frame::{FrameLang, QueryFrame, Slot, SlotSource};
use crate::record::session::Extraction;

/// The frame of a request of which nothing was looked up yet.
pub fn frame_of(raw_query: &str, lang: FrameLang, extraction: &Extraction) -> QueryFrame {
    let mut frame = QueryFrame::unread(raw_query.to_string(), lang);
    merge(&mut frame, extraction);
    frame
}

/// What was extracted of a frame.
pub fn extraction_of(frame: &QueryFrame) -> Extraction {
    let values = Slot::ALL.into_iter().filter_map(|slot| Some((slot, frame.slot(slot)?.to_string()))).collect();
    Extraction { quotes: frame.slot_quotes.clone(), rejected: frame.rejected.clone(), values }
}

/// Slots that were extracted replace those that are there; the others stay.
pub fn merge(frame: &mut QueryFrame, extraction: &Extraction) {
    for (slot, value) in &extraction.values {
        *frame.slot_mut(*slot) = Some(value.clone());
        frame.slot_source.insert(*slot, SlotSource::Stated);
        frame.slot_evidence.remove(slot);
        match extraction.quotes.get(slot) {
            Some(quote) => frame.slot_quotes.insert(*slot, quote.clone()),
            None => frame.slot_quotes.remove(slot),
        };
    }
    frame.rejected.clone_from(&extraction.rejected);
    frame.missing_slots = Slot::ALL.into_iter().filter(|slot| frame.slot(*slot).is_none()).collect();
    let sum: u32 = frame.slot_quotes.values().map(|quote| quote.confidence.in_millionths()).sum();
    frame.extraction_confidence = Score::millionths(sum / Slot::ALL.len() as u32);
}
