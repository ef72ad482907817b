//! Words and punctuation.

/// A mistake in the text.
pub(super) type Mistake = String;

/// One token and its line, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
}

/// Splits the source. Words are runs of letters, digits, `_` and `$`, with a leading `-` for
/// numbers; `::` is one token; any other visible character is its own.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (position, line_text) in source.lines().enumerate() {
        let code = line_text.split("//").next().unwrap_or("");
        let mut rest = code;
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { break };
            let length = if rest.starts_with("::") {
                2
            } else if is_word(first) || first == '-' {
                let tail = &rest[first.len_utf8()..];
                first.len_utf8() + tail.find(|c| !is_word(c)).unwrap_or(tail.len())
            } else {
                first.len_utf8()
            };
            tokens.push(Token { text: &rest[..length], line: position + 1 });
            rest = &rest[length..];
        }
    }
    tokens
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$')
}
