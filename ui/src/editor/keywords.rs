//! Reserved words and common type names of each language, sorted for binary search.

use super::syntax::Syntax;

const C: &[&str] = &[
    "NULL", "auto", "break", "case", "const", "continue", "default", "do", "else", "enum", "extern", "for", "goto",
    "if", "inline", "register", "restrict", "return", "sizeof", "static", "struct", "switch", "typedef", "union",
    "volatile", "while",
];
const CPP: &[&str] = &[
    "alignas",
    "alignof",
    "auto",
    "break",
    "case",
    "catch",
    "class",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "using",
    "virtual",
    "volatile",
    "while",
];
const PYTHON: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "match",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];
const JAVA: &[&str] = &[
    "abstract",
    "assert",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "do",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "if",
    "implements",
    "import",
    "instanceof",
    "interface",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "record",
    "return",
    "sealed",
    "static",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "volatile",
    "while",
    "yield",
];
const RUST: &[&str] = &[
    "Self", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false",
    "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while",
];

const C_TYPES: &[&str] = &[
    "FILE", "_Bool", "bool", "char", "double", "float", "int", "int32_t", "int64_t", "long", "short", "signed",
    "size_t", "uint32_t", "uint64_t", "uint8_t", "unsigned", "void",
];
const CPP_TYPES: &[&str] = &[
    "array",
    "bitset",
    "bool",
    "char",
    "deque",
    "double",
    "float",
    "int",
    "int32_t",
    "int64_t",
    "long",
    "map",
    "multiset",
    "pair",
    "priority_queue",
    "queue",
    "set",
    "short",
    "signed",
    "size_t",
    "stack",
    "string",
    "tuple",
    "uint32_t",
    "uint64_t",
    "unordered_map",
    "unordered_set",
    "unsigned",
    "vector",
    "void",
    "wchar_t",
];
const PYTHON_TYPES: &[&str] = &[
    "abs",
    "bool",
    "bytes",
    "dict",
    "enumerate",
    "float",
    "input",
    "int",
    "len",
    "list",
    "map",
    "max",
    "min",
    "open",
    "print",
    "range",
    "reversed",
    "set",
    "sorted",
    "str",
    "sum",
    "tuple",
    "zip",
];
const JAVA_TYPES: &[&str] = &[
    "ArrayList",
    "BufferedReader",
    "HashMap",
    "HashSet",
    "Integer",
    "List",
    "Long",
    "Map",
    "Math",
    "Object",
    "Scanner",
    "String",
    "StringBuilder",
    "System",
    "boolean",
    "byte",
    "char",
    "double",
    "float",
    "int",
    "long",
    "short",
    "void",
];
const RUST_TYPES: &[&str] = &[
    "Box", "HashMap", "HashSet", "None", "Option", "Result", "Some", "String", "Vec", "bool", "char", "f32", "f64",
    "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8", "usize",
];

/// Whether a word is reserved.
pub(super) fn is_keyword(syntax: Syntax, word: &str) -> bool {
    let words = match syntax {
        Syntax::C => C,
        Syntax::Cpp => CPP,
        Syntax::Python => PYTHON,
        Syntax::Java => JAVA,
        Syntax::Rust => RUST,
        Syntax::Plain => return false,
    };
    words.binary_search(&word).is_ok()
}

/// Whether a word names a common type or built-in.
pub(super) fn is_type(syntax: Syntax, word: &str) -> bool {
    let words = match syntax {
        Syntax::C => C_TYPES,
        Syntax::Cpp => CPP_TYPES,
        Syntax::Python => PYTHON_TYPES,
        Syntax::Java => JAVA_TYPES,
        Syntax::Rust => RUST_TYPES,
        Syntax::Plain => return false,
    };
    words.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_sorted_so_that_the_search_finds_each_word() {
        for words in [C, CPP, PYTHON, JAVA, RUST, C_TYPES, CPP_TYPES, PYTHON_TYPES, JAVA_TYPES, RUST_TYPES] {
            assert!(words.is_sorted_by(|a, b| a < b), "{:?}", words.windows(2).find(|pair| pair[0] >= pair[1]));
        }
    }

    #[test]
    fn words_of_another_language_are_plain() {
        assert!(is_keyword(Syntax::Rust, "fn"));
        assert!(!is_keyword(Syntax::Cpp, "fn"));
        assert!(is_type(Syntax::Cpp, "vector"));
        assert!(!is_type(Syntax::Plain, "int"));
    }
}
