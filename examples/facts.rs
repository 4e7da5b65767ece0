//! Draws what a language's front end finds in a file. Usage: facts FILE [--grammar]
use contextpack::language::*;
use contextpack::text::{LineIndex, RepoPath};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let name = args[1].rsplit('/').next().unwrap().to_string();
    let languages = Languages::builtin();
    let language = languages.detect(&RepoPath::try_from(name).unwrap(), &text).expect("no language");
    let limits = Limits { max_chunk_bytes: 400 };
    let facts = if args.len() > 2 {
        language.parse_with_grammar(&text, &limits).map(|mut f| {
            f.settle();
            f
        })
    } else {
        language.parse(&text, &limits)
    };
    let facts = match facts {
        Ok(f) => f,
        Err(e) => {
            println!("FAILED {e:?}");
            return;
        }
    };
    let index = LineIndex::new(&text);
    let mut notes: Vec<(u32, u32, String)> = vec![];
    for d in &facts.definitions {
        let sig = &text[d.span.start as usize..d.body.map_or(d.span.end, |b| b.start) as usize];
        notes.push((
            index.line(d.name_span.start),
            index.column(d.name_span.start),
            format!(
                "DEF {:?} {} lines {}-{} container={:?} exported={} private={} type={:?} params={:?} doc={:?} sig={:?}",
                d.kind,
                d.name,
                index.line(d.span.start) + 1,
                index.line(d.span.end) + 1,
                d.container,
                d.exported,
                d.private,
                d.value_type,
                d.parameters
                    .iter()
                    .map(|p| format!("{}:{}", p.name, p.value_type.as_deref().unwrap_or("-")))
                    .collect::<Vec<_>>(),
                d.doc.map(|s| s.text(&text)),
                sig.split_whitespace().collect::<Vec<_>>().join(" ")
            ),
        ));
    }
    for m in &facts.mentions {
        let mut s = format!("{:?} {}", m.role, m.name);
        if let Some(r) = &m.receiver {
            s += &format!(" receiver={r}");
        }
        if let Some(r) = &m.receiver_type {
            s += &format!(" receiverType={r}");
        }
        if let Some(r) = &m.arguments {
            s += &format!(" args={r}");
        }
        if let Some(r) = &m.binding {
            s += &format!(" {r:?}");
        }
        if let Some(r) = &m.flow {
            s += &format!(" {r:?}");
        }
        notes.push((index.line(m.span.start), index.column(m.span.start), s));
    }
    for e in &facts.embedded {
        notes.push((
            index.line(e.span.start),
            0,
            format!("EMBEDDED {} to line {}", e.language, index.line(e.span.end) + 1),
        ));
    }
    for e in &facts.errors {
        notes.push((index.line(e.start), index.column(e.start), "SYNTAX ERROR".into()));
    }
    for e in &facts.comments {
        notes.push((index.line(e.start), index.column(e.start), "comment".into()));
    }
    for e in &facts.prefixes {
        notes.push((index.line(e.start), index.column(e.start), "prefix".into()));
    }
    notes.sort();
    println!(
        "package {:?} breaks {:?}",
        facts.package,
        facts.breaks.iter().map(|b| (index.line(b.offset) + 1, b.depth)).collect::<Vec<_>>()
    );
    for line in 0..index.line_count() {
        println!("{:4} | {}", line + 1, index.line_text(line).trim_end());
        for (_, column, note) in notes.iter().filter(|n| n.0 == line) {
            println!("     | {}^ {note}", " ".repeat(*column as usize));
        }
    }
}
