//! How a brief shows nodes: units under headings, with their sections and blocks in the order of the source.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::content::{Content, Shape, is_inline};
use super::print::{MAX_STEPS, Sheet};
use super::relation::Relations;
use super::text::short;
use crate::assemble::notes::{RankedNode, ReachedNotes};
use crate::assemble::{Block, Cost, Found, GroupNo, IndexView, Placed, ReadError, Template};
use crate::record::NodeNo;
use crate::record::brief::BriefRequest;

pub struct BriefTemplate<'t> {
    /// The nodes that may be shown, as indexes of the ranked nodes.
    pub candidates: &'t [usize],
    /// The text before all nodes.
    pub header: String,
    pub sheets: &'t Sheets<'t>,
}

/// A node in the form that is shown.
#[derive(Clone)]
pub struct Shown {
    /// An index of the ranked nodes; absent for a unit that is only the place of what is in it.
    pub rank: Option<usize>,
    pub sheet: Rc<Sheet>,
    pub unit: NodeNo,
    /// The unit's sheet, unless it is the unit itself.
    pub unit_sheet: Option<Rc<Sheet>>,
    /// Its place in the source.
    pub order: u32,
    /// How many of its lines are shown, besides its name.
    pub lines: usize,
}

/// A unit's own text has its own page, and so has each section and block in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageKey {
    unit: NodeNo,
    /// Absent for the unit itself.
    member: Option<NodeNo>,
}

/// Reads nodes for printing, each once.
pub struct Sheets<'s> {
    relations: &'s Relations<'s>,
    request: &'s BriefRequest,
    /// The rank of each node.
    ranks: BTreeMap<NodeNo, usize>,
    read: RefCell<BTreeMap<NodeNo, Rc<Sheet>>>,
}

impl<'s> Sheets<'s> {
    pub fn new(relations: &'s Relations<'s>, request: &'s BriefRequest) -> Self {
        let nodes = &relations.reached.nodes;
        let ranks = nodes.iter().enumerate().map(|(rank, node)| (node.node, rank)).collect();
        Sheets { relations, request, ranks, read: RefCell::default() }
    }

    fn reached(&self) -> &'s ReachedNotes {
        self.relations.reached
    }

    /// The place of a node among the ranked nodes; absent if it was not reached.
    pub fn rank(&self, node: NodeNo) -> Option<usize> {
        self.ranks.get(&node).copied()
    }

    pub fn of(&self, node: NodeNo) -> Result<Rc<Sheet>, ReadError> {
        if let Some(known) = self.read.borrow().get(&node) {
            return Ok(Rc::clone(known));
        }
        let mut content = Content::read(self.relations.index, node)?;
        let rank = self.ranks.get(&node).copied();
        if content.shape == Shape::Block && self.is_printed_around(node, rank)? {
            content.shape = Shape::Inside;
        }
        let meta = rank.map_or_else(String::new, |rank| self.meta(&self.reached().nodes[rank], &content));
        let sheet = Rc::new(Sheet::new(content, meta, self.steps(node), self.request));
        self.read.borrow_mut().insert(node, Rc::clone(&sheet));
        Ok(sheet)
    }

    /// Whether a block is a part of a text that comes before it.
    fn is_printed_around(&self, node: NodeNo, rank: Option<usize>) -> Result<bool, ReadError> {
        let around = self.relations.index.parent(node).and_then(|parent| self.ranks.get(&parent));
        match (around, rank) {
            (Some(around), Some(rank)) if *around < rank => is_inline(self.relations.index, node),
            _ => Ok(false),
        }
    }

    /// How deep a node is below its unit: 0 directly below it.
    fn steps(&self, node: NodeNo) -> usize {
        let (index, unit) = (self.relations.index, self.unit(node));
        let outer = std::iter::successors(index.parent(node), |node| index.parent(*node));
        outer.take(MAX_STEPS).take_while(|outer| *outer != unit && index.has_entries(*outer)).count()
    }

    /// The node under whose heading a node is shown.
    pub fn unit(&self, node: NodeNo) -> NodeNo {
        let notes = self.relations.index.notes;
        notes.note(node).map_or(node, |note| notes.node(notes.unit(note)))
    }

    fn meta(&self, node: &RankedNode, content: &Content) -> String {
        let id = self.relations.index.id(node.node);
        // An id that is the name stands in the heading, and what is no note has no id that anyone types.
        let id = match (&content.code, &content.item) {
            (Some(_), _) => Some(short(&content.name)),
            (None, Some(_)) => (id != content.name).then(|| short(id)),
            (None, None) => None,
        };
        let date = content.item.as_ref().and_then(|item| item.modified.as_ref());
        let date = date.map_or("undated", |date| &date.as_str()[..10]);
        let (score, relation) = (format!("score {}", node.score), self.relations.words(node));
        let parts: Vec<String> = id.into_iter().chain([relation, score, date.to_string()]).collect();
        parts.join("; ")
    }
}

impl BriefTemplate<'_> {
    fn shown(&self, rank: usize) -> Result<Shown, ReadError> {
        let node = self.sheets.reached().nodes[rank].node;
        let sheet = self.sheets.of(node)?;
        let unit = self.sheets.unit(node);
        let unit_sheet = if unit == node { None } else { Some(self.sheets.of(unit)?) };
        let order = sheet.content.item.as_ref().map_or(0, |item| item.order);
        let lines = sheet.line_count();
        Ok(Shown { rank: Some(rank), unit, unit_sheet, sheet, order, lines })
    }
}

impl Shown {
    pub fn text(&self) -> String {
        match self.rank {
            Some(_) => self.sheet.print(self.lines),
            None => self.sheet.place(),
        }
    }

    pub fn is_whole(&self) -> bool {
        self.lines == self.sheet.line_count()
    }

    /// Whether it is the unit itself, and not a part of it.
    pub fn is_unit(&self) -> bool {
        self.unit == self.sheet.content.node
    }
}

fn block(shown: &Shown) -> Block<'static> {
    Block::of_frames([shown.text()])
}

impl Template for BriefTemplate<'_> {
    /// An index of the ranked nodes.
    type Unit = usize;
    type Item = Shown;
    type Page = PageKey;

    fn units(&self, _: &IndexView, _: &Found) -> Result<Vec<usize>, ReadError> {
        Ok(self.candidates.to_vec())
    }

    fn compare(&self, _: &IndexView, a: &usize, b: &usize) -> Ordering {
        a.cmp(b)
    }

    fn groups(&self, _: &IndexView, _: &usize) -> Vec<GroupNo> {
        vec![0]
    }

    fn whole(&self, _: &IndexView, rank: &usize) -> Result<Shown, ReadError> {
        self.shown(*rank)
    }

    fn line_count(&self, shown: &Shown) -> usize {
        shown.sheet.line_count()
    }

    /// A node that shows nothing but its name is in the list of related nodes instead.
    fn head(&self, shown: &Shown, lines: usize, _: &str) -> Option<Shown> {
        (lines > 0).then(|| Shown { lines, ..shown.clone() })
    }

    fn print<'s>(&self, shown: &'s Shown) -> Block<'s> {
        block(shown)
    }

    fn page(&self, shown: &Shown, _: Cost, _: Option<&Placed<Self>>) -> PageKey {
        PageKey { unit: shown.unit, member: (!shown.is_unit()).then_some(shown.sheet.content.node) }
    }

    fn print_page(&self, items: &[&Shown]) -> Vec<Block<'static>> {
        items.iter().map(|shown| block(shown)).collect()
    }

    /// The heading of the unit that a section or a block is in.
    fn around(&self, shown: &Shown) -> Option<Shown> {
        let sheet = shown.unit_sheet.clone()?;
        Some(Shown { rank: None, unit: shown.unit, unit_sheet: None, sheet, order: 0, lines: 0 })
    }

    fn heading(&self, _: &usize, _: GroupNo) -> Block<'static> {
        Block::of_frames([String::new()])
    }

    fn frame(&self) -> Block<'static> {
        Block::of_frames([self.header.clone()])
    }
}
