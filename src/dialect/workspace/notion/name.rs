//! The names of files and folders in a Notion export: a title and an id.

use crate::text::RepoPath;

pub const ID_LEN: usize = 32;

/// What the name of a file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportName<'p> {
    /// Cut off if it is long, and without characters that file names cannot have.
    pub title: &'p str,
    pub id: &'p str,
    pub form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `TITLE ID.md`
    Page,
    /// `TITLE ID_all.csv`: all rows and columns of a database.
    Whole,
    /// `TITLE ID.csv`: what one view of a database shows.
    View,
}

impl<'p> ExportName<'p> {
    /// None for other files, and for what archives of a Mac hold beside the files.
    pub fn of(path: &'p RepoPath) -> Option<Self> {
        let name = path.file_name();
        if name.starts_with("._") || path.folders().any(|folder| folder == "__MACOSX") {
            return None;
        }
        let (stem, form) = match name.strip_suffix(".md") {
            Some(stem) => (stem, Form::Page),
            None => without_csv(name)?,
        };
        let (title, id) = title_and_id(stem)?;
        Some(ExportName { title, id, form })
    }
}

/// The name of a table without its ending, and whether it holds all rows.
pub fn without_csv(name: &str) -> Option<(&str, Form)> {
    let stem = name.strip_suffix(".csv")?;
    Some(stem.strip_suffix("_all").map_or((stem, Form::View), |stem| (stem, Form::Whole)))
}

/// `TITLE ID`
pub fn title_and_id(stem: &str) -> Option<(&str, &str)> {
    let (title, id) = stem.split_at_checked(stem.len().checked_sub(ID_LEN)?)?;
    is_id(id).then_some((title.strip_suffix(' ')?, id))
}

pub fn is_id(word: &str) -> bool {
    word.len() == ID_LEN && word.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
