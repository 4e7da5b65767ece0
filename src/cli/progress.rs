//! A bar on a terminal, nothing elsewhere.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::pipeline::Progress;

pub struct Bar(Option<ProgressBar>);

impl Bar {
    pub fn new(quiet: bool) -> Self {
        Bar::shown(quiet, "{msg} [{wide_bar}] {bytes}/{total_bytes} {eta}", "reading", 0)
    }

    /// For so many of something.
    pub fn counting(quiet: bool, what: &'static str, count: u64) -> Self {
        Bar::shown(quiet, "{pos}/{len} {msg} [{wide_bar}] {eta}", what, count)
    }

    fn shown(quiet: bool, template: &str, what: &'static str, length: u64) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        let style = || ProgressStyle::with_template(template).expect("the template is tested");
        Bar(shown.then(|| ProgressBar::new(length).with_style(style()).with_message(what)))
    }

    pub fn advance(&self, count: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(count);
        }
    }

    pub fn show(&self, progress: Progress) {
        let Some(bar) = &self.0 else { return };
        match progress {
            Progress::Found { files, bytes } => {
                bar.set_length(bytes);
                bar.set_message(format!("{files} files"));
            }
            Progress::Done { bytes, .. } => bar.inc(bytes),
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
