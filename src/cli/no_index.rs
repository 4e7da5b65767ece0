//! What makes an index where there is none: a command that can be run as it stands.

use super::{Failure, IndexArguments};
use crate::store::StoreError;
use crate::text::shell_word;

impl IndexArguments {
    /// The index cannot be used; where there is none at all, with the command that makes it.
    pub fn failure(&self, command: &str, error: &StoreError) -> Failure {
        let folder = self.folder();
        if !matches!(error, StoreError::Missing { .. }) {
            return Failure::new(command, error);
        }
        let path = folder.display();
        let hint = match folder.join("chunk").is_dir() {
            true => format!("contextpack graph --index {}", shell_word(&folder)),
            false => self.maker(),
        };
        Failure::new(
            command,
            format!("cannot use the index `{path}`\n  because {}\n  hint: run `{hint}`", error.cause()),
        )
    }

    /// Stages need to be run one after the other; these run all of them.
    fn maker(&self) -> String {
        let repo = shell_word(&self.repo);
        match &self.index {
            Some(index) => format!("contextpack pack --repo {repo} --index {} --query \"…\"", shell_word(index)),
            None if self.repo.as_os_str() == "." => "contextpack build".to_string(),
            None => format!("contextpack pack --repo {repo} --query \"…\""),
        }
    }
}
