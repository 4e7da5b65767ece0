//! Reads paths, lines and functions from the frames of stack traces, as the runtimes of many languages print them.

/// A line of a file that a trace or a link names.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub path: String,
    pub line: u32,
    /// How many frames of its trace are between it and the innermost frame.
    pub depth: u32,
    /// The function that the frame names. The line may belong to another version of the file.
    pub function: Option<String>,
}

impl Place {
    fn new(path: &str, line: u32) -> Self {
        Place { path: path.to_string(), line, ..Place::default() }
    }
}

pub fn is_trace(line: &str) -> bool {
    let starts =
        ["File \"", "at ", "Traceback", "goroutine ", "thread '", "from /", "#0 ", "stack backtrace", "frame #"];
    starts.iter().any(|start| line.starts_with(start))
}

/// Whether a line is a frame of a trace: what it quotes is a function, and its words are a path.
pub fn is_frame(line: &str) -> bool {
    let starts = ["File \"", "at ", "from /", "frame #"];
    starts.iter().any(|start| line.starts_with(start))
        || in_ruby(line).is_some()
        || line.starts_with('#') && numbered(line).is_some()
}

/// Parses `src/a.rs:12` and `a.py:12:5`.
pub fn parse_place(token: &str) -> Option<Place> {
    let (path, line) = token.split_once(".").and_then(|_| {
        let mut parts = token.splitn(3, [':', '#']);
        Some((parts.next()?, parts.next()?))
    })?;
    let line = leading_number(line.trim_start_matches('L'))?;
    is_path(path).then(|| Place::new(path, line))
}

/// Parses frames whose line number is not joined to the path with a colon: those of PHP and C#.
pub fn parse_spelled_frame(line: &str) -> Option<Place> {
    let frame = line.trim();
    let (path, number) = if frame.starts_with("at ") {
        let (before, number) = frame.rsplit_once(":line ")?;
        (before.rsplit_once(" in ")?.1, number)
    } else {
        let rest = frame.strip_prefix('#')?.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.strip_prefix(' ')?.split_once("): ")?.0.rsplit_once('(')?
    };
    let path = path.split_once(":\\").map_or(path, |(_drive, path)| path);
    Some(Place::new(path, leading_number(number)?)).filter(|place| is_path(&place.path))
}

/// Parses `File "a.py", line 12, in f`.
pub fn parse_python_frame(line: &str) -> Option<Place> {
    let rest = line.trim_start().strip_prefix("File \"")?;
    let (path, rest) = rest.split_once('"')?;
    Some(Place {
        function: function_of_frame(line, ""),
        ..Place::new(path, leading_number(rest.strip_prefix(", line ")?)?)
    })
}

fn leading_number(text: &str) -> Option<u32> {
    text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The name of the function that a frame is in. Go and Rust print it on the line before the path.
pub fn function_of_frame(line: &str, previous: &str) -> Option<String> {
    let frame = line.trim();
    let called = in_python(frame)
        .or_else(|| in_ruby(frame))
        .or_else(|| in_elixir(frame))
        .or_else(|| numbered(frame))
        .or_else(|| after_at(frame))
        .or_else(|| on_previous_line(frame, previous.trim()))?;
    last_name(called)
}

fn in_python(frame: &str) -> Option<&str> {
    let rest = frame.strip_prefix("File \"")?;
    rest.rsplit_once(", in ").map(|(_, name)| name)
}

/// Parses ``a.rb:12:in `block in run'`` and `a.rb:12:in 'Parser#run'`.
fn in_ruby(frame: &str) -> Option<&str> {
    let (_, rest) = frame.split_once(":in ")?;
    let quoted = rest.strip_prefix(['`', '\''])?.split('\'').next()?;
    quoted.rsplit(' ').next()
}

/// Parses `(app 1.0) lib/a.ex:12: Parser.run/2`.
fn in_elixir(frame: &str) -> Option<&str> {
    let (place, rest) = frame.split_once(": ")?;
    let (path, line) = place.rsplit_once(':')?;
    let is_place = is_path(path.rsplit(' ').next()?) && leading_number(line).is_some();
    let (name, arity) = rest.rsplit_once('/')?;
    (is_place && leading_number(arity).is_some() && !name.contains(' ')).then_some(name)
}

/// Parses frames that start with their number: those of gdb, lldb, PHP and Dart.
fn numbered(frame: &str) -> Option<&str> {
    let frame = frame.strip_prefix("frame ").unwrap_or(frame);
    let rest = frame.strip_prefix('#')?.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(':').trim();
    if let Some((_, called)) = rest.split_once("): ") {
        return Some(called.split('(').next()?.trim());
    }
    if let Some((_, called)) = rest.split_once('`') {
        return Some(called.split(['(', ' ']).next()?.trim());
    }
    let rest = rest.split_once(" in ").filter(|(before, _)| before.starts_with("0x")).map_or(rest, |(_, rest)| rest);
    Some(rest.split_once('(')?.0.trim())
}

/// Parses `at Parser.run (a.js:1:2)`, `at a.Parser.run(Parser.java:1)` and `at A.Parser.Run(String a) in a.cs:line 1`.
fn after_at(frame: &str) -> Option<&str> {
    let rest = frame.strip_prefix("at ")?;
    let called = rest.split_once('(')?.0.split(" [as ").next()?.trim();
    let called = ["async ", "new "].iter().fold(called, |called, word| called.strip_prefix(word).unwrap_or(called));
    (!called.contains(' ')).then_some(called)
}

fn on_previous_line<'l>(frame: &str, previous: &'l str) -> Option<&'l str> {
    if frame.starts_with("at ") {
        // Rust: `3: shop::orders::place::h0123456789abcdef`.
        let (number, called) = previous.split_once(": ")?;
        let called = called.rsplit_once(" - ").map_or(called, |(_, called)| called);
        let called =
            called.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(called, |(called, _)| called);
        return leading_number(number).map(|_| called.split("::{{").next().unwrap_or(called));
    }
    // Go: `shop/orders.(*Cart).Place(0xc000…, 0x1)`.
    let is_place = frame.contains(".go:") && !frame.split(" +0x").next()?.contains(' ');
    let (called, _) = previous.strip_prefix("created by ").unwrap_or(previous).rsplit_once('(')?;
    (is_place && !called.contains(' ')).then_some(called)
}

/// The last name of `a.b.c`, `A::b`, `A->b`, `A#b`, `a/b.c` and `A$B.c`. A constructor is called like its class, and a
/// lambda like the function that contains it.
fn last_name(called: &str) -> Option<String> {
    let called = called.trim_end_matches("()");
    let called = called.strip_suffix(".<init>").unwrap_or(called);
    let called = called.split_once("lambda$").map_or(called, |(_, name)| name.split('$').next().unwrap_or(name));
    let called = called.split('<').next().filter(|called| !called.is_empty() && !called.ends_with('.'))?;
    let called = called.trim_end_matches(':');
    let name = called.rsplit(['.', ':', '#', '>', '/', '$', '\\', ' ']).next()?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_?!".contains(c));
    (is_name && !name.starts_with(char::is_numeric)).then(|| name.to_string())
}

/// The path of a file in a link to a repository: the text after `/blob/` and a revision.
pub fn linked_path(token: &str) -> Option<&str> {
    let (_, rest) = token.split_once("/blob/")?;
    rest.split_once('/').map(|(_, path)| path)
}

/// Whether a token ends with a known file extension and has only characters of a path.
pub fn is_path(token: &str) -> bool {
    const EXTENSIONS: &[&str] = &[
        "bash", "c", "cc", "cfg", "cjs", "conf", "cpp", "cs", "css", "cxx", "dart", "ex", "exs", "go", "gradle", "h",
        "hh", "hpp", "html", "ini", "java", "js", "json", "jsx", "kt", "kts", "lua", "md", "mjs", "php", "proto", "py",
        "pyi", "rb", "rs", "rst", "scala", "sh", "sql", "swift", "tf", "toml", "ts", "tsx", "txt", "vue", "xml",
        "yaml", "yml",
    ];
    let name = token.rsplit(['/', '\\']).next().unwrap_or(token);
    let known = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && EXTENSIONS.binary_search(&extension.to_ascii_lowercase().as_str()).is_ok()
    });
    known && !token.contains("://") && token.chars().all(|c| c.is_alphanumeric() || "/\\._-+@~".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, function: &str) {
        assert_eq!(function_of_frame(line, "").as_deref().unwrap_or_default(), function, "{line}");
    }

    #[test]
    fn frames_name_functions() {
        check("  File \"a/b.py\", line 7, in run", "run");
        check("  File \"a/b.py\", line 7, in <module>", "");
        check("    at Parser.run (/home/x/a.js:1:2)", "run");
        check("    at async Parser.run [as go] (/home/x/a.js:1:2)", "run");
        check("    at Object.<anonymous> (/home/x/a.js:1:2)", "");
        check("    at /home/x/a.js:1:2", "");
        check("\tat com.shop.Cart.getBoundFields(Cart.java:169)", "getBoundFields");
        check("\tat com.shop.Cart$Item.<init>(Cart.java:169)", "Item");
        check("\tat com.shop.Cart.lambda$place$3(Cart.java:9)", "place");
        check("   at Shop.Cart.Place(String name) in C:\\src\\Cart.cs:line 12", "Place");
        check("from /x/a.rb:12:in `block in run'", "run");
        check("lib/a.rb:12:in 'Parser#run?': no (Error)", "run?");
        check("#0  0x00007f in cart_place (c=0x0) at src/cart.c:12", "cart_place");
        check("#1  cart_place (c=0x0) at src/cart.c:12", "cart_place");
        check("frame #1: 0x00 shop`cart_place(c=0x0) at cart.c:12:5", "cart_place");
        check("#2 /srv/src/Cart.php(12): Shop\\Cart->place(NULL)", "place");
        check("#1      Cart.place (package:shop/cart.dart:12:5)", "place");
        check("(shop 1.0) lib/cart.ex:12: Shop.Cart.place/2", "place");
        check("see src/a.rs:12 there", "");
    }

    #[test]
    fn go_and_rust_name_the_function_a_line_before() {
        let of = |line, previous| function_of_frame(line, previous).unwrap_or_default();
        assert_eq!(of("\t/x/cart.go:12 +0x1d", "shop/cart.(*Cart).Place(0xc00, 0x1)"), "Place");
        assert_eq!(of("\t/x/cart.go:12 +0x1d", "main.main()"), "main");
        assert_eq!(of("   at ./src/cart.rs:12:5", "   3: shop::cart::place::h0123456789abcdef"), "place");
        assert_eq!(of("   at ./src/cart.rs:12:5", "   3: shop::cart::place::{{closure}}"), "place");
        assert_eq!(of("   at ./src/cart.rs:12:5", "see: the function below"), "");
    }

    #[test]
    fn places_of_php_and_c_sharp() {
        let place = |line| parse_spelled_frame(line).map(|place| (place.path, place.line));
        assert_eq!(place("#2 /srv/src/Cart.php(12): Shop\\Cart->place()"), Some(("/srv/src/Cart.php".to_string(), 12)));
        assert_eq!(place("  at Shop.Cart.Place() in C:\\src\\Cart.cs:line 12"), Some(("src\\Cart.cs".to_string(), 12)));
        assert_eq!(place("# 12 things"), None);
    }
}
