//! Tasks: `- [ ]`, and the words of Logseq.

/// What has become of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    Open(&'static str),
    Done,
    Cancelled,
}

impl TaskState {
    /// From the character in the box of a list item.
    pub fn of_box(inside: u8) -> Option<Self> {
        match inside {
            b' ' => Some(TaskState::Open("todo")),
            b'x' | b'X' => Some(TaskState::Done),
            b'-' => Some(TaskState::Cancelled),
            _ => None,
        }
    }

    /// From the word that starts a block.
    pub fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "TODO" => TaskState::Open("todo"),
            "DOING" | "IN-PROGRESS" => TaskState::Open("doing"),
            "NOW" => TaskState::Open("now"),
            "LATER" => TaskState::Open("later"),
            "WAITING" | "WAIT" => TaskState::Open("waiting"),
            "DONE" => TaskState::Done,
            "CANCELED" | "CANCELLED" => TaskState::Cancelled,
            _ => return None,
        })
    }

    /// The value of the field `task`.
    pub fn name(self) -> &'static str {
        match self {
            TaskState::Open(name) => name,
            TaskState::Done => "done",
            TaskState::Cancelled => "cancelled",
        }
    }
}
