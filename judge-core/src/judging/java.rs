//! Java's entry point: which class is started, and the file name that its public class demands.

use std::collections::BTreeSet;

use super::model::ProgramFile;

const DEFAULT_CLASS: &str = "Main";

/// Gives every source the name its public class demands (a pasted source may have any) and tells the class to start:
/// the one that has `main` – `Main` if there are several – with its package. A name that another file has, or that is
/// longer than `name_bytes_max`, is not given: the compiler then says what is wrong with the class.
pub(super) fn arrange(files: &mut [ProgramFile], name_bytes_max: usize) -> String {
    let mut starters = Vec::new();
    let mut taken: BTreeSet<String> = files.iter().map(|file| file.name.clone()).collect();
    for file in files.iter_mut().filter(|file| file.name.ends_with(".java")) {
        let text = code_of(&String::from_utf8_lossy(&file.bytes));
        let public = class_after(&text, "public");
        if let Some(class) = &public {
            let folder = file.name.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
            let demanded = format!("{class}.java");
            if demanded.len() <= name_bytes_max && taken.insert(format!("{folder}{demanded}")) {
                file.name = format!("{folder}{demanded}");
            }
        }
        let stem = file.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".java").to_owned();
        if has_main(&text) {
            let class = public.or_else(|| class_with_main(&text)).unwrap_or(stem);
            let package = package_of(&text);
            starters.push(package.map_or(class.clone(), |package| format!("{package}.{class}")));
        }
    }
    let default = starters.iter().find(|name| name.rsplit('.').next() == Some(DEFAULT_CLASS));
    default.or(starters.first()).cloned().unwrap_or_else(|| DEFAULT_CLASS.to_owned())
}

/// The text without comments and literals, so that words in them mislead nobody.
fn code_of(text: &str) -> String {
    let (mut code, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..at]);
        rest = &rest[at..];
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('/') {
            code.push('/');
            1
        } else {
            literal_bytes(rest)
        };
        code.push(' ');
        rest = &rest[skipped..];
    }
    code.push_str(rest);
    code
}

/// Length of the string or character literal that the text begins with; a text block is three such literals in a row.
fn literal_bytes(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn words(code: &str) -> Vec<&str> {
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '.');
    code.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect()
}

/// The class declared with `modifier` before it, other modifiers between.
fn class_after(code: &str, modifier: &str) -> Option<String> {
    let words = words(code);
    words.windows(2).enumerate().find_map(|(at, pair)| {
        let is_kind = matches!(pair[0], "class" | "interface" | "enum" | "record");
        let mut before = words[..at].iter().rev();
        let is_modified = before
            .by_ref()
            .take_while(|word| matches!(**word, "public" | "final" | "abstract" | "strictfp" | "sealed" | "static"))
            .any(|word| *word == modifier);
        (is_kind && is_modified).then(|| pair[1].to_owned())
    })
}

fn has_main(code: &str) -> bool {
    words(code).windows(2).any(|pair| pair == ["void", "main"])
}

/// The last class that begins before `void main`.
fn class_with_main(code: &str) -> Option<String> {
    let words = words(code);
    let main = words.windows(2).position(|pair| pair == ["void", "main"])?;
    words[..main].windows(2).rev().find(|pair| pair[0] == "class").map(|pair| pair[1].to_owned())
}

fn package_of(code: &str) -> Option<String> {
    words(code).windows(2).find(|pair| pair[0] == "package").map(|pair| pair[1].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(files: &[(&str, &str)]) -> (String, Vec<String>) {
        let file = |(name, text): &(&str, &str)| ProgramFile { name: (*name).into(), bytes: text.as_bytes().to_vec() };
        let mut files: Vec<ProgramFile> = files.iter().map(file).collect();
        let main = arrange(&mut files, 40);
        (main, files.into_iter().map(|file| file.name).collect())
    }

    const MAIN: &str = "{ public static void main(String[] a) {} }";

    #[test]
    fn a_pasted_source_gets_its_classs_name() {
        let (main, names) = arranged(&[("Main.java", &format!("/* class X */ public final class Sum {MAIN}"))]);
        assert_eq!((main.as_str(), names), ("Sum", vec!["Sum.java".to_owned()]));
    }

    #[test]
    fn the_class_with_main_is_started() {
        let other = format!("class Node {{}}\nclass Solve {MAIN}\nclass Edge {{}}");
        assert_eq!(arranged(&[("x.java", &other)]).0, "Solve");
        let in_package = format!("package a.b;\npublic class Main {MAIN}");
        assert_eq!(arranged(&[("Main.java", &in_package)]).0, "a.b.Main");
        let two =
            [("A.java", &*format!("public class A {MAIN}")), ("Main.java", &*format!("public class Main {MAIN}"))];
        assert_eq!(arranged(&two).0, "Main");
        assert_eq!(arranged(&[("Main.java", "class Main {}")]).0, "Main");
    }

    /// The compiler says what is wrong then; a submission that cannot be laid out would be nobody's verdict.
    #[test]
    fn a_name_that_is_taken_or_too_long_is_not_given() {
        let twice = [("a.java", "public class X {}"), ("b.java", "public class X {}"), ("X.txt", "")];
        assert_eq!(arranged(&twice).1, ["X.java", "b.java", "X.txt"]);
        let own = [("X.java", "public class X {}"), ("b.java", "public class X {}")];
        assert_eq!(arranged(&own).1, ["X.java", "b.java"]);
        let long = format!("public class {} {{}}", "X".repeat(36));
        assert_eq!(arranged(&[("a.java", &long)]).1, ["a.java"]);
    }

    #[test]
    fn comments_and_literals_mislead_nobody() {
        let text = format!(
            "// public class No\npublic class Yes {{ String s = \"public class \\\" Bad\"; char c = '\"'; }}\n class Z {MAIN}"
        );
        assert_eq!(arranged(&[("Main.java", &text)]), ("Yes".to_owned(), vec!["Yes.java".to_owned()]));
    }
}
