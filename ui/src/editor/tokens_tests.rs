//! Tests of the tokenizer: kinds on sample lines, open states across lines, and that nothing is lost or panics.

use super::*;

fn kinds(line: &str, syntax: Syntax) -> Vec<(Kind, &str)> {
    let mut tokens = Vec::new();
    tokenize_line(line, &Open::Nothing, syntax, &mut tokens);
    let mut at = 0;
    tokens
        .into_iter()
        .map(|(kind, length)| {
            at += length;
            (kind, &line[at - length..at])
        })
        .collect()
}

fn open_after(text: &str, syntax: Syntax) -> Open {
    text.split('\n').fold(Open::Nothing, |open, line| {
        let mut tokens = Vec::new();
        let next = tokenize_line(line, &open, syntax, &mut tokens);
        assert_eq!(tokens.iter().map(|(_, length)| length).sum::<usize>(), line.len(), "{line:?} is covered");
        next
    })
}

#[test]
fn a_cpp_line_has_its_kinds() {
    assert_eq!(
        kinds("int x = 0x1F; // sum", Syntax::Cpp),
        [
            (Kind::Type, "int"),
            (Kind::Plain, " x = "),
            (Kind::Number, "0x1F"),
            (Kind::Plain, "; "),
            (Kind::Comment, "// sum"),
        ]
    );
    assert_eq!(kinds("  #include <cstdio>", Syntax::Cpp)[1], (Kind::Directive, "#include <cstdio>"));
    assert_eq!(kinds("1'000'000", Syntax::Cpp), [(Kind::Number, "1'000'000")]);
}

#[test]
fn quotes_and_escapes_end_where_they_should() {
    assert_eq!(kinds(r#"s = "a\"b" + '"';"#, Syntax::Cpp)[1], (Kind::Text, r#""a\"b""#));
    assert_eq!(kinds(r#"print('it''s # no')"#, Syntax::Python).last(), Some(&(Kind::Plain, ")")));
    assert_eq!(kinds("\"never closed", Syntax::C), [(Kind::Text, "\"never closed")]);
}

#[test]
fn a_lifetime_is_no_literal() {
    assert!(kinds("fn f<'a>(x: &'a str) -> char { 'x' }", Syntax::Rust).contains(&(Kind::Text, "'x'")));
    assert!(kinds("fn f<'a>(x: &'a str)", Syntax::Rust).iter().all(|(kind, _)| *kind != Kind::Text));
}

#[test]
fn comments_and_texts_span_lines() {
    assert_eq!(open_after("/* a\nb */ int", Syntax::C), Open::Nothing);
    assert!(matches!(open_after("x = '''\nabc", Syntax::Python), Open::Until { .. }));
    assert_eq!(open_after("x = '''\nabc'''", Syntax::Python), Open::Nothing);
    assert_eq!(open_after("/* a /* b */", Syntax::Rust), Open::Nested { depth: 1 });
    assert_eq!(open_after("/* a /* b */", Syntax::Java), Open::Nothing);
    assert_eq!(open_after("R\"x(\n)\" )x\"", Syntax::Cpp), Open::Nothing);
    assert!(matches!(open_after("r#\"\n\" ", Syntax::Rust), Open::Until { .. }));
}

#[test]
fn anything_is_covered_without_a_panic() {
    let awkward = "日本 '語\" /* R\"(( r##\"\n'''é\\\n#[#!/*/**/\u{1F600}'\\";
    for syntax in [Syntax::C, Syntax::Cpp, Syntax::Python, Syntax::Java, Syntax::Rust, Syntax::Plain] {
        for start in awkward.char_indices().map(|(index, _)| index) {
            open_after(&awkward[start..], syntax);
        }
    }
}
