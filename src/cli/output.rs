//! The one door to standard output and standard error.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};

use super::Failure;
use crate::text::is_bidi_control;

/// Prints a line to standard error. A closed standard error is not a failure.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible(line));
}

/// The result. Whoever reads it may stop reading; a disk that is full loses it, and that is a failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    let sent = match out.is_terminal() {
        true => out.write_all(visible(text).as_bytes()),
        false => out.write_all(text.as_bytes()),
    };
    // Text without a final line break would otherwise be written at exit, where errors are lost.
    written(sent.and_then(|()| out.flush()))
}

pub fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&json(value))
}

/// For people and programs alike.
pub fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).expect("it is JSON") + "\n"
}

/// What became of something that was written to standard output.
pub fn written(outcome: std::io::Result<()>) -> Result<(), Failure> {
    match outcome {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Names and texts of a tree are strangers' words: what a terminal would obey instead of showing is spelled out.
fn visible(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || is_bidi_control(c);
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let spelled = |c: char| if is_obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(spelled).collect())
}
