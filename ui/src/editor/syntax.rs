//! Which tokenizer rules a language of the table follows.

/// A family of lexical rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    C,
    Cpp,
    Python,
    Java,
    Rust,
    /// No colouring; brackets and indentation still work.
    Plain,
}

impl Syntax {
    /// From the preferred file extension of a language.
    #[must_use]
    pub fn from_extension(extension: &str) -> Syntax {
        match extension {
            "c" | "h" => Syntax::C,
            "cpp" | "cc" | "cxx" | "c++" | "hpp" => Syntax::Cpp,
            "py" | "py3" => Syntax::Python,
            "java" => Syntax::Java,
            "rs" => Syntax::Rust,
            _ => Syntax::Plain,
        }
    }

    /// What starts a comment to the end of the line.
    #[must_use]
    pub fn line_comment(self) -> Option<&'static str> {
        match self {
            Syntax::C | Syntax::Cpp | Syntax::Java | Syntax::Rust => Some("//"),
            Syntax::Python => Some("#"),
            Syntax::Plain => None,
        }
    }

    /// Whether `/* … */` is a comment.
    #[must_use]
    pub fn has_block_comments(self) -> bool {
        match self {
            Syntax::C | Syntax::Cpp | Syntax::Java | Syntax::Rust => true,
            Syntax::Python | Syntax::Plain => false,
        }
    }
}
