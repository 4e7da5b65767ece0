//! Which symbol is the parent of which, and what each has as members.

use super::names::{full_name, is_top_level};
use super::{MAX_NESTING, NameNo, SymbolNo, SymbolTable, Tree};
use crate::graph::descriptor;
use crate::record::Kind;

impl<'i> Tree<'i> {
    /// Gives every symbol its parent and enters it under its name.
    pub(super) fn place_symbols(&mut self) {
        for number in 0..self.symbols.len() as u32 {
            let row = self.symbols[number as usize].row;
            // An id is longer than its parent's, so these parents form no cycle.
            let parent = descriptor::parent(&row.symbol_id).and_then(|id| self.symbol_numbers.get(id)).copied();
            self.symbols[number as usize].parent = parent;
            let next = self.names.len() as NameNo;
            let name = *self.names.entry(&row.name).or_insert(next);
            if name == next {
                self.by_name.push(Vec::new());
            }
            self.by_name[name as usize].push(number);
            self.name_extension(number);
            self.enter_member(number, name);
        }
        self.attach_detached_members();
        self.attach_extension_members();
    }

    /// Enters a symbol as a member of its parent, or as a name of its file and of the files that share names with it.
    fn enter_member(&mut self, number: SymbolNo, name: NameNo) {
        let SymbolTable { row, file, parent, rule } = self.symbols[number as usize];
        let Some(rule) = rule else { return };
        if let Some(parent) = parent {
            self.members.entry((self.merged(parent), name)).or_default().push(number);
        }
        let escapes = row.kind == Kind::EnumMember && rule.flat_enums;
        let outer = match parent {
            Some(parent) if escapes => self.parent(parent),
            _ => parent,
        };
        match outer {
            Some(outer) if escapes => self.members.entry((outer, name)).or_default().push(number),
            None if is_top_level(row) || escapes => {
                self.top_level.entry((file, name)).or_default().push(number);
                if let Some(group) = self.files[file as usize].group {
                    self.shared.entry((group, name)).or_default().push(number);
                }
            }
            _ => {}
        }
    }

    /// A function that is defined apart from the type it extends is imported as one of its package.
    fn name_extension(&mut self, number: SymbolNo) {
        let SymbolTable { row, file, parent, rule } = self.symbols[number as usize];
        let apart = match parent.map(|parent| self.row(parent).range) {
            Some(around) => !(around.start <= row.range.start && row.range.end <= around.end),
            None => !is_top_level(row),
        };
        if apart && rule.is_some_and(|rule| rule.extensions) {
            let package = self.input.files[file as usize].package.as_deref();
            self.by_full_name.entry(full_name(package, &row.name)).or_default().push(number);
        }
    }

    /// Attaches members whose type is defined elsewhere: methods of a Go type, definitions outside of their C++
    /// class, a Rust type's second `impl`.
    fn attach_detached_members(&mut self) {
        for number in 0..self.symbols.len() as u32 {
            let symbol = &self.symbols[number as usize];
            if symbol.parent.is_none()
                && !is_top_level(symbol.row)
                && let Some(parent) = self.detached_parent(number)
            {
                self.attach(parent, number);
            }
        }
    }

    /// The one type that the qualified name of a symbol names before the symbol's own name.
    fn detached_parent(&self, number: SymbolNo) -> Option<SymbolNo> {
        let symbol = &self.symbols[number as usize];
        let (row, file) = (symbol.row, symbol.file);
        let parent = row.qualified_name.strip_suffix(&*row.name).unwrap_or_default();
        let parent = parent.trim_end_matches([':', '.', '\\', '#']);
        let last = parent.rsplit([':', '.']).next().unwrap_or(parent);
        let shared = self.files[file as usize].group.map_or(&[][..], |group| self.shared(group, last));
        let types = if shared.is_empty() { self.named(last) } else { shared };
        let fits = |other: &&SymbolNo| {
            let other = &self.symbols[**other as usize];
            other.row.kind.is_type() && other.family() == symbol.family()
        };
        let mut fitting = types.iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (None, _) => self.constructing_function(parent, number),
            (Some(only), None) => Some(*only),
            _ => None,
        }
    }

    /// Where functions construct, methods belong to functions; in Lua, to the variable that they are assigned to.
    fn constructing_function(&self, name: &str, member: SymbolNo) -> Option<SymbolNo> {
        let own = self.top_level(self.file_of(member), name);
        let is_function = |other: &&SymbolNo| self.row(**other).kind == Kind::Function;
        own.iter().find(is_function).or(own.first()).copied()
    }

    /// Makes a symbol a member of another one, unless it contains that one: C++ may define a type in the declaration
    /// of one of its own members, as in `struct S { … } *S::instance;`.
    fn attach(&mut self, parent: SymbolNo, member: SymbolNo) {
        let contains = self.parents(Some(parent)).any(|symbol| symbol == member);
        if contains || self.parents(Some(parent)).count() == MAX_NESTING {
            return;
        }
        let name = self.names[&*self.symbols[member as usize].row.name];
        self.symbols[member as usize].parent = Some(parent);
        self.members.entry((self.merged(parent), name)).or_default().push(member);
    }

    /// Makes the members of an extension members of the type that it extends.
    fn attach_extension_members(&mut self) {
        for number in 0..self.symbols.len() as u32 {
            let parent = self.parent(number).unwrap_or(number);
            if let Some(extended) = self.extended_type(parent) {
                if parent == number {
                    self.remove_name(number);
                } else {
                    self.attach(extended, number);
                }
            }
        }
    }

    /// The one type that has the name of an extension.
    fn extended_type(&self, extension: SymbolNo) -> Option<SymbolNo> {
        let symbol = &self.symbols[extension as usize];
        if symbol.row.kind != Kind::Extension {
            return None;
        }
        let fits = |other: &&SymbolNo| {
            let other = &self.symbols[**other as usize];
            other.row.kind.is_type() && other.row.kind != Kind::Extension && other.family() == symbol.family()
        };
        let mut fitting = self.named(&symbol.row.name).iter().filter(fits);
        match (fitting.next(), fitting.next()) {
            (Some(extended), None) => Some(*extended),
            _ => None,
        }
    }

    /// Removes a symbol from the names of its file and group.
    fn remove_name(&mut self, number: SymbolNo) {
        let symbol = &self.symbols[number as usize];
        let (name, file) = (self.names[&*symbol.row.name], symbol.file);
        let group = self.files[file as usize].group;
        let top_level = self.top_level.get_mut(&(file, name));
        let shared = group.and_then(|group| self.shared.get_mut(&(group, name)));
        top_level.into_iter().chain(shared).for_each(|symbols| symbols.retain(|symbol| *symbol != number));
    }

    /// The type that an extension extends; for any other symbol, itself.
    pub fn type_itself(&self, symbol: SymbolNo) -> SymbolNo {
        self.extended_type(symbol).unwrap_or(symbol)
    }
}
