//! Tests of the editor's keys: single presses on a text with a caret `|`, and whole programs typed through them.

use super::*;

/// Presses a key at `|` (or on the part between two of them) and answers the text with the caret or selection marked.
fn after(marked: &str, key: &str, shift: bool, syntax: Syntax) -> Option<String> {
    let first = marked.find('|').expect("a caret");
    let last = marked.rfind('|').expect("a caret");
    let text = marked.replace('|', "");
    let selection = first..if last > first { last - 1 } else { first };
    let change = press(&text, selection, key, shift, syntax)?;
    let mut result = change.apply(&text);
    result.insert(change.select.end, '|');
    if !change.select.is_empty() {
        result.insert(change.select.start, '|');
    }
    Some(result)
}

fn cpp(marked: &str, key: &str) -> Option<String> {
    after(marked, key, false, Syntax::Cpp)
}

#[test]
fn tab_goes_to_the_next_stop() {
    assert_eq!(cpp("ab|", "Tab").as_deref(), Some("ab  |"));
    assert_eq!(cpp("|", "Tab").as_deref(), Some("    |"));
}

#[test]
fn tab_indents_and_outdents_whole_lines() {
    assert_eq!(cpp("|a\n\nb\n|c", "Tab").as_deref(), Some("|    a\n\n    b|\nc"));
    assert_eq!(after("    a\n  |  b\n\tc|", "Tab", true, Syntax::Cpp).as_deref(), Some("    a\n|b\nc|"));
    assert_eq!(after("      x|", "Tab", true, Syntax::Cpp).as_deref(), Some("  x|"));
    assert_eq!(after("|  x", "Tab", true, Syntax::Cpp).as_deref(), Some("|x"));
}

#[test]
fn enter_keeps_and_deepens_the_indentation() {
    assert_eq!(cpp("    x;|", "Enter").as_deref(), Some("    x;\n    |"));
    assert_eq!(cpp("  if (a) {|}", "Enter").as_deref(), Some("  if (a) {\n      |\n  }"));
    assert_eq!(after("if a:|", "Enter", false, Syntax::Python).as_deref(), Some("if a:\n    |"));
    assert_eq!(cpp("case 1:|", "Enter").as_deref(), Some("case 1:\n|"));
}

#[test]
fn brackets_pair_only_where_there_is_room() {
    assert_eq!(cpp("f|", "(").as_deref(), Some("f(|)"));
    assert_eq!(cpp("f|x", "("), None);
    assert_eq!(cpp("// f|", "("), None);
    assert_eq!(cpp("/* a\n f|", "("), None);
    assert_eq!(cpp("|a + b|", "(").as_deref(), Some("(|a + b|)"));
}

#[test]
fn a_closer_is_typed_over_but_never_lost() {
    assert_eq!(cpp("f(|)", ")").as_deref(), Some("f()|"));
    assert_eq!(cpp("f((|)", ")"), None, "one is missing, so one is inserted");
    assert_eq!(cpp("{\n    |\n}", "}").as_deref(), Some("{\n}|"));
    assert_eq!(cpp("{ f(\")\"|) }", ")").as_deref(), Some("{ f(\")\")| }"));
    assert_eq!(cpp("s = \"(|)\"", ")"), None, "in a literal a bracket is a letter");
}

#[test]
fn a_brace_on_a_blank_line_steps_out() {
    assert_eq!(cpp("{\n{\n        |\n}", "}").as_deref(), Some("{\n{\n    }|\n}"));
}

#[test]
fn quotes_know_words_escapes_and_their_twin() {
    assert_eq!(cpp("= |;", "\"").as_deref(), Some("= \"|\";"));
    assert_eq!(cpp("\"|\"", "\"").as_deref(), Some("\"\"|"));
    assert_eq!(cpp("\"\\|\"", "\""), None);
    assert_eq!(cpp("// don|", "'"), None);
    assert_eq!(after("&|", "'", false, Syntax::Rust), None);
}

#[test]
fn backspace_takes_an_empty_pair_or_a_level() {
    assert_eq!(cpp("f(|)", "Backspace").as_deref(), Some("f|"));
    assert_eq!(cpp("      |x", "Backspace").as_deref(), Some("    |x"));
    assert_eq!(cpp("ab|", "Backspace"), None);
    assert_eq!(cpp("|", "Backspace"), None);
}

/// Types a program as WebDriver or a person does: every character is a key press.
fn typed(program: &str, syntax: Syntax) -> String {
    let mut text = String::new();
    let mut caret = 0;
    for c in program.chars() {
        let key = if c == '\n' { "Enter".to_owned() } else { c.to_string() };
        match press(&text, caret..caret, &key, false, syntax) {
            Some(change) => {
                text = change.apply(&text);
                caret = change.select.end;
            }
            None => {
                text.insert(caret, c);
                caret += c.len_utf8();
            }
        }
    }
    text
}

fn without_blank(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_typed_program_is_the_program() {
    let programs = [
        (
            Syntax::Cpp,
            "#include <bits/stdc++.h>\nusing namespace std;\nint main() {\n    int n; cin >> n;\n    vector<long long> a(n);\n    for (auto &x : a) { cin >> x; }\n    if (n > 0) {\n        cout << a[0] << \"\\n\";\n    } else {\n        cout << '{' << \"}\\\"(\" << '\\'';\n    }\n    // don't (worry\n    return 0;\n}\n",
        ),
        (Syntax::Cpp, "int main(){int a,b;scanf(\"%d%d\",&a,&b);printf(\"%d\\n\",a-b);}"),
        (Syntax::C, "int main(void)\n{\n  char *s[] = { \"a\", \"b\" };\n  while (1) { fork(); }\n}\n"),
        (
            Syntax::Java,
            "public class Main {\n  public static void main(String[] args) {\n    System.out.println(\"x\");\n  }\n}\n",
        ),
        (
            Syntax::Rust,
            "fn longest<'a>(x: &'a str) -> &'a str {\n    let c = 'x';\n    println!(\"{}\", c);\n    x\n}\nfn main() { longest(\"a\"); }\n",
        ),
        (Syntax::Python, "import sys\nd = {}\nprint(sum(map(int, sys.stdin.read().split())))\n"),
    ];
    for (syntax, program) in programs {
        assert_eq!(without_blank(&typed(program, syntax)), without_blank(program), "{syntax:?}");
    }
}
