//! JSON text as a flat list of tokens.
//!
//! A struct's fields may come in any order in JSON and have one order in BCS, so the text cannot be
//! converted as it streams by. The tape keeps where each value starts and which token follows it;
//! strings and numbers stay in the text. Sixteen bytes a token, at most one token for two bytes.

use std::borrow::Cow;

/// Most arrays and objects around one another.
pub const JSON_DEPTH_MAX: usize = 64;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Null,
    True,
    False,
    Number,
    String,
    /// An array, followed by its items.
    Array,
    /// An object, followed by a string token and a value for each member.
    Object,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    /// Text range; of a string, what is between the quotes.
    start: u32,
    end: u32,
    /// Index of the token after this value; how a reader steps over it.
    next: u32,
}

/// Position of a value on the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At(u32);

/// Why a text is not JSON, or too much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TapeError {
    Syntax { offset: usize },
    TooDeep,
    TooLong,
}

pub(super) struct Tape<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

/// What the scanner expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    /// The first item of an array, or its end.
    ItemOrEnd,
    /// The first key of an object, or its end.
    KeyOrEnd,
    Key,
    /// A comma, or the end of what is open.
    CommaOrEnd,
}

impl<'a> Tape<'a> {
    /// Scans one JSON value that is the whole of `text`.
    pub(super) fn scan(text: &'a str) -> Result<Self, TapeError> {
        if u32::try_from(text.len()).is_err() {
            return Err(TapeError::TooLong);
        }
        let mut scanner = Scanner { text: text.as_bytes(), at: 0, tokens: Vec::new(), open: Vec::new() };
        scanner.document()?;
        Ok(Self { text, tokens: scanner.tokens })
    }

    pub(super) fn root(&self) -> At {
        At(0)
    }

    fn token(&self, at: At) -> Token {
        self.tokens[at.0 as usize]
    }

    pub(super) fn kind(&self, at: At) -> Kind {
        self.token(at).kind
    }

    /// Text of a number, or of a string with its escapes as they stand.
    pub(super) fn raw(&self, at: At) -> &'a str {
        let token = self.token(at);
        &self.text[token.start as usize..token.end as usize]
    }

    /// Items of an array.
    pub(super) fn items(&self, array: At) -> impl Iterator<Item = At> {
        let end = self.token(array).next;
        let mut next = array.0 + 1;
        std::iter::from_fn(move || {
            let at = (next < end).then_some(At(next))?;
            next = self.token(at).next;
            Some(at)
        })
    }

    /// Keys and values of an object.
    pub(super) fn members(&self, object: At) -> impl Iterator<Item = (At, At)> {
        let end = self.token(object).next;
        let mut next = object.0 + 1;
        std::iter::from_fn(move || {
            let key = (next < end).then_some(At(next))?;
            let value = At(next + 1);
            next = self.token(value).next;
            Some((key, value))
        })
    }

    /// The value of the first member of this name.
    pub(super) fn member(&self, object: At, name: &str) -> Option<At> {
        self.members(object).find(|(key, _)| self.string(*key) == name).map(|(_, value)| value)
    }

    /// A string with its escapes resolved. A lone surrogate becomes U+FFFD.
    pub(super) fn string(&self, at: At) -> Cow<'a, str> {
        let raw = self.raw(at);
        if !raw.contains('\\') {
            return Cow::Borrowed(raw);
        }
        let mut units: Vec<u16> = Vec::new();
        let mut out = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(place) = rest.find('\\') {
            if place > 0 {
                flush(&mut units, &mut out);
                out.push_str(&rest[..place]);
            }
            let escape = rest.as_bytes()[place + 1];
            let mut consumed = place + 2;
            let plain = match escape {
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'u' => {
                    let digits = &rest[consumed..consumed + 4];
                    units.push(u16::from_str_radix(digits, 16).unwrap_or(0xfffd));
                    rest = &rest[consumed + 4..];
                    continue;
                }
                other => other as char,
            };
            flush(&mut units, &mut out);
            out.push(plain);
            consumed = consumed.min(rest.len());
            rest = &rest[consumed..];
        }
        flush(&mut units, &mut out);
        out.push_str(rest);
        Cow::Owned(out)
    }
}

/// Empties gathered UTF-16 units into the text: escapes may hold one character in two halves.
fn flush(units: &mut Vec<u16>, out: &mut String) {
    out.extend(char::decode_utf16(units.drain(..)).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)));
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    /// Arrays and objects not closed yet.
    open: Vec<u32>,
}

impl Scanner<'_> {
    fn document(&mut self) -> Result<(), TapeError> {
        let mut expect = Expect::Value;
        loop {
            self.skip_spaces();
            match (expect, self.peek()) {
                (Expect::ItemOrEnd, Some(b']')) | (Expect::KeyOrEnd, Some(b'}')) => {
                    self.at += 1;
                    self.close();
                    expect = Expect::CommaOrEnd;
                }
                (Expect::Value | Expect::ItemOrEnd, _) => expect = self.value()?,
                (Expect::Key | Expect::KeyOrEnd, _) => {
                    self.string()?;
                    self.skip_spaces();
                    self.literal(b":")?;
                    expect = Expect::Value;
                }
                (Expect::CommaOrEnd, next) => match (self.open_kind(), next) {
                    (None, None) => return Ok(()),
                    (Some(Kind::Array), Some(b',')) => {
                        self.at += 1;
                        expect = Expect::Value;
                    }
                    (Some(Kind::Object), Some(b',')) => {
                        self.at += 1;
                        expect = Expect::Key;
                    }
                    (Some(Kind::Array), Some(b']')) | (Some(Kind::Object), Some(b'}')) => {
                        self.at += 1;
                        self.close();
                    }
                    _ => return Err(self.syntax()),
                },
            }
        }
    }

    fn syntax(&self) -> TapeError {
        TapeError::Syntax { offset: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn literal(&mut self, literal: &[u8]) -> Result<(), TapeError> {
        if !self.text[self.at..].starts_with(literal) {
            return Err(self.syntax());
        }
        self.at += literal.len();
        Ok(())
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.tokens.len() as u32 + 1;
        self.tokens.push(Token { kind, start: start as u32, end: end as u32, next });
    }

    fn open_kind(&self) -> Option<Kind> {
        self.open.last().map(|&index| self.tokens[index as usize].kind)
    }

    fn open(&mut self, kind: Kind) -> Result<(), TapeError> {
        if self.open.len() == JSON_DEPTH_MAX {
            return Err(TapeError::TooDeep);
        }
        self.open.push(self.tokens.len() as u32);
        self.push(kind, self.at, self.at);
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) {
        let next = self.tokens.len() as u32;
        if let Some(index) = self.open.pop() {
            self.tokens[index as usize].next = next;
        }
    }

    fn value(&mut self) -> Result<Expect, TapeError> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'[') => {
                self.open(Kind::Array)?;
                return Ok(Expect::ItemOrEnd);
            }
            Some(b'{') => {
                self.open(Kind::Object)?;
                return Ok(Expect::KeyOrEnd);
            }
            Some(b'"') => {
                self.string()?;
                return Ok(Expect::CommaOrEnd);
            }
            Some(b'n') => {
                self.literal(b"null")?;
                Kind::Null
            }
            Some(b't') => {
                self.literal(b"true")?;
                Kind::True
            }
            Some(b'f') => {
                self.literal(b"false")?;
                Kind::False
            }
            _ => {
                self.number()?;
                Kind::Number
            }
        };
        self.push(kind, start, self.at);
        Ok(Expect::CommaOrEnd)
    }

    fn digits(&mut self) -> Result<(), TapeError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.syntax()) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), TapeError> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), TapeError> {
        self.literal(b"\"")?;
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
                        Some(b'u') => {
                            let digits = self.text.get(self.at + 1..self.at + 5).ok_or(self.syntax())?;
                            if !digits.iter().all(u8::is_ascii_hexdigit) {
                                return Err(self.syntax());
                            }
                            self.at += 5;
                        }
                        _ => return Err(self.syntax()),
                    }
                }
                Some(0..=0x1f) | None => return Err(self.syntax()),
                Some(_) => self.at += 1,
            }
        }
        self.push(Kind::String, start, self.at);
        self.at += 1;
        Ok(())
    }
}
