//! Imports, and the list of names that a module gives away.

use ruff_python_ast::{Alias, Expr, StmtImport, StmtImportFrom};
use ruff_text_size::TextRange;

use super::reader::{EnclosingBlock, Reader, span};
use crate::language::facts::Mention;
use crate::record::{Binding, Role};

impl<'t, 'a> Reader<'t, 'a> {
    pub fn import(&mut self, import: &StmtImport) {
        for alias in &import.names {
            let module = alias.name.as_str();
            let binding =
                Binding { module: Some(module.to_string()), name: None, alias: alias_text(alias), style: None };
            let written = self.word(alias.name.range);
            // `import a.b` binds `a`.
            let bound = match &alias.asname {
                Some(asname) => self.word(asname.range),
                None => written.split('.').next().unwrap_or(written).trim_end(),
            };
            let site = alias.asname.as_ref().unwrap_or(&alias.name).range;
            self.binding(Role::Import, bound, site, binding);
        }
    }

    pub fn import_from(&mut self, import: &StmtImportFrom) {
        let dots = ".".repeat(import.level as usize);
        let module = format!("{dots}{}", import.module.as_ref().map_or("", |module| module.as_str()));
        if let Some(source) = &import.module {
            let style = Some(Binding::SOURCE.to_string());
            let binding = Binding { module: Some(module.clone()), name: None, alias: None, style };
            let last = self.word(source.range).rsplit('.').next().unwrap_or_default().trim();
            self.facts.mentions.push(Mention::new(Role::Import, last, span(source.range)).with_binding(binding));
        }
        for alias in &import.names {
            let site = alias.asname.as_ref().unwrap_or(&alias.name).range;
            let bound = match self.word(site) {
                "*" => {
                    import.module.as_ref().and_then(|module| self.word(module.range).rsplit('.').next()).unwrap_or("*")
                }
                word => word,
            };
            let name = alias.name.as_str().to_string();
            let binding =
                Binding { module: Some(module.clone()), name: Some(name), alias: alias_text(alias), style: None };
            self.binding(Role::Import, bound, site, binding);
        }
    }

    fn binding(&mut self, role: Role, bound: &'t str, site: TextRange, binding: Binding) {
        self.facts.mentions.push(Mention::new(role, bound, span(site)).with_binding(binding));
        if role == Role::Import {
            self.mark_defined(bound);
        }
    }

    /// `__all__ = […]`, `__all__ += […]`
    pub fn export_list(&mut self, target: &Expr, value: &Expr) {
        if self.is_export_list(target) {
            self.exports(value);
        }
    }

    /// `__all__.extend([…])`, `__all__.append("…")`
    pub fn export_call(&mut self, expression: &Expr) {
        let Expr::Call(call) = expression else { return };
        let Expr::Attribute(attribute) = &*call.func else { return };
        let adds = matches!(attribute.attr.as_str(), "append" | "extend");
        if adds && self.is_export_list(&attribute.value) {
            call.arguments.args.iter().for_each(|added| self.exports(added));
        }
    }

    fn is_export_list(&self, target: &Expr) -> bool {
        self.place == EnclosingBlock::Module && matches!(target, Expr::Name(name) if name.id.as_str() == "__all__")
    }

    fn exports(&mut self, value: &Expr) {
        match value {
            Expr::List(list) => list.elts.iter().for_each(|element| self.exports(element)),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| self.exports(element)),
            Expr::Set(set) => set.elts.iter().for_each(|element| self.exports(element)),
            Expr::BinOp(sum) => {
                self.exports(&sum.left);
                self.exports(&sum.right);
            }
            Expr::StringLiteral(literal) => {
                let Some(literal) = literal.as_single_part_string() else { return };
                let (site, name) = (literal.content_range(), literal.as_str().to_string());
                let binding = Binding { module: None, name: Some(name), alias: None, style: None };
                self.binding(Role::Export, self.word(site), site, binding);
            }
            _ => {}
        }
    }
}

fn alias_text(alias: &Alias) -> Option<String> {
    alias.asname.as_ref().map(|asname| asname.as_str().to_string())
}
