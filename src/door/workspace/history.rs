//! The conversation: whole turns, the newest first.

use super::candidate::Printed;
use super::render::{self, Around};
use super::section::Steps;
use super::source::{Extent, Shortening, Source};
use crate::record::workspace::{Message, MessageRole, PayloadItem, PayloadItemFacts, Truncated, TruncationStrategy};
use crate::record::{BlockType, Score};

/// The messages of a conversation, the newest first.
pub struct History<'h> {
    messages: Vec<Spoken<'h>>,
    /// How many messages the turns have, the newest turn first. A turn is a message of the user and what follows it.
    turns: Vec<usize>,
}

/// One message.
struct Spoken<'h> {
    role: MessageRole,
    /// From 1, the oldest first.
    number: u32,
    /// From 1, the newest first.
    rank: u32,
    content: Source<'h>,
    cost: u32,
}

impl<'h> History<'h> {
    pub fn new(messages: &'h [Message], shortening: &'h Shortening) -> Self {
        let all = messages.iter().enumerate().rev().zip(1..);
        let spoken = all.map(|((at, message), rank)| Spoken::new(message, at as u32 + 1, rank, shortening)).collect();
        History { messages: spoken, turns: turns(messages) }
    }

    fn cost(&self, count: usize) -> u32 {
        self.messages[..count].iter().map(|message| message.cost).sum()
    }

    /// How many of the newest messages fit as whole turns.
    fn whole_turns(&self, max_tokens: u32) -> usize {
        let ends = self.turns.iter().scan(0, |end, turn| {
            *end += turn;
            Some(*end)
        });
        ends.take_while(|end| self.cost(*end) <= max_tokens).last().unwrap_or(0)
    }

    /// The end of the newest turn, which is too large: its last messages, and the end of the one before them.
    fn end_of_turn(&self, max_tokens: u32) -> Vec<Printed> {
        let newest = &self.messages[..self.turns.first().copied().unwrap_or(0)];
        let (mut end, mut room) = (Vec::new(), max_tokens);
        for message in newest {
            if message.cost > room {
                end.extend(message.cut(room));
                break;
            }
            room -= message.cost;
            end.push(message.print(Extent::Whole));
        }
        end
    }
}

/// The length of each turn, the newest first. What precedes the first message of the user is a turn, too.
fn turns(messages: &[Message]) -> Vec<usize> {
    let turns = messages.chunk_by(|_, next| next.role != MessageRole::User);
    turns.rev().map(<[Message]>::len).collect()
}

impl<'h> Spoken<'h> {
    fn new(message: &'h Message, number: u32, rank: u32, shortening: &'h Shortening) -> Self {
        let content = Source::new(shortening, &message.content, false, TruncationStrategy::KeepEnd);
        let mut spoken = Spoken { role: message.role, number, rank, content, cost: 0 };
        spoken.cost = spoken.cost_of(Extent::Whole);
        spoken
    }

    fn cut(&self, max_tokens: u32) -> Option<Printed> {
        let fits = |kept: &[_]| self.tokens(kept) <= max_tokens;
        self.content.less_than(Extent::Whole, fits).map(|extent| self.print(extent))
    }

    fn cost_of(&self, extent: Extent) -> u32 {
        self.tokens(&self.content.kept(extent))
    }

    fn tokens(&self, kept: &[std::ops::Range<usize>]) -> u32 {
        let Around { before, after } = render::around(&self.facts(), BlockType::AiChat, &self.content.shown(kept));
        self.content.tokens_of(kept, &before, &after) as u32
    }

    fn print(&self, extent: Extent) -> Printed {
        let kept = self.content.kept(extent);
        let truncated = (extent != Extent::Whole).then(|| Truncated {
            of_tokens: self.content.tokens() as u32,
            shown_tokens: self.content.tokens_of(&kept, "", "") as u32,
            strategy: TruncationStrategy::KeepEnd,
        });
        let item = PayloadItem {
            block_id: format!("history:{}", self.number),
            block_type: BlockType::AiChat,
            content: self.content.shown(&kept),
            metadata: PayloadItemFacts { truncated, ..self.facts() },
            relevance: Score::ONE,
        };
        Printed { item, tokens: self.tokens(&kept), order: self.number, lacks_summary: false }
    }

    fn facts(&self) -> PayloadItemFacts {
        let role = match self.role {
            MessageRole::User => "user",
            MessageRole::Assistant => "assistant",
            MessageRole::System => "system",
        };
        PayloadItemFacts { page_title: Some(role.to_string()), rank: self.rank, ..PayloadItemFacts::default() }
    }
}

impl Steps for History<'_> {
    fn demand(&self) -> u32 {
        self.cost(self.messages.len())
    }

    fn fill(&self, max_tokens: u32) -> (Vec<Printed>, u32) {
        let mut items = match self.whole_turns(max_tokens) {
            0 => self.end_of_turn(max_tokens),
            count => self.messages[..count].iter().map(|message| message.print(Extent::Whole)).collect(),
        };
        let left_out = (self.messages.len() - items.len()) as u32;
        items.reverse();
        (items, left_out)
    }

    fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}
