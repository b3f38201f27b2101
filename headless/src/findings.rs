//! The import doctor's findings on a terminal.

use agon_contract::package::Finding;

/// A finding in one line, the file first, as compilers do.
pub(crate) fn describe(source_name: &str, finding: &Finding) -> String {
    let Finding { severity, code, path, message, remedy } = finding;
    let place = if path.is_empty() { source_name.to_owned() } else { format!("{source_name}/{path}") };
    let remedy = if remedy.is_empty() { String::new() } else { format!(" {remedy}") };
    format!("{place}: {severity}: {message} [{code}]{remedy}")
}

#[cfg(test)]
mod tests {
    use agon_contract::package::Severity;

    use super::*;

    #[test]
    fn the_file_comes_first_and_the_remedy_last() {
        let finding = Finding {
            severity: Severity::Error,
            code: "answer_missing".to_owned(),
            path: "data/secret/2.in".to_owned(),
            message: "it has no answer".to_owned(),
            remedy: "Add data/secret/2.ans.".to_owned(),
        };
        assert_eq!(
            describe("sums.zip", &finding),
            "sums.zip/data/secret/2.in: error: it has no answer [answer_missing] Add data/secret/2.ans."
        );
        let whole = Finding { path: String::new(), remedy: String::new(), ..finding };
        assert_eq!(describe("sums.zip", &whole), "sums.zip: error: it has no answer [answer_missing]");
    }
}
