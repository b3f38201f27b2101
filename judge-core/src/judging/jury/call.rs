//! How each protocol is called: the command line, and where the output goes. (Sources: formats §1.7, §6.2, §7)

use crate::domain::rules::CheckerProtocol;

/// The folder for feedback, as validators get it.
pub(super) const FEEDBACK: &str = "/tmp/feedback";
/// Full score that a Lemon checker is told; its score is read as a part of it.
pub(super) const LEMON_FULL_SCORE: u32 = 100;
pub(super) const LEMON_SCORE_FILE: &str = "score";
pub(super) const LEMON_MESSAGE_FILE: &str = "message";
/// What an interactor of testlib leaves for the checker.
pub(super) const INTERACTOR_OUTPUT_FILE: &str = "tout";
/// The only thing that a second pass must not find again. (Problem Package Format, "Multi-pass")
pub(super) const NEXT_PASS_FILE: &str = "nextpass.in";

/// Absolute paths in the jury box.
pub(super) struct Paths<'a> {
    pub(super) input: &'a str,
    pub(super) answer: &'a str,
    /// Empty where the output is standard input.
    pub(super) output: &'a str,
}

/// The output comes on standard input and not as a file.
pub(super) fn takes_stream(protocol: CheckerProtocol) -> bool {
    match protocol {
        CheckerProtocol::Icpc => true,
        CheckerProtocol::Testlib
        | CheckerProtocol::Cms
        | CheckerProtocol::Lemon
        | CheckerProtocol::Qduoj
        | CheckerProtocol::Hustoj
        | CheckerProtocol::Syzoj => false,
    }
}

/// Commands of the shell before a check. A step of its own, so that the program is started by nobody but the supervisor,
/// whose word it is how that went.
pub(super) fn preparation(protocol: CheckerProtocol, paths: &Paths<'_>, pass: u32) -> String {
    if pass > 1 {
        return format!("rm -f {FEEDBACK}/{NEXT_PASS_FILE}");
    }
    let fresh = format!("find /tmp -mindepth 1 -delete && mkdir {FEEDBACK}");
    match protocol {
        CheckerProtocol::Syzoj => {
            let Paths { input, answer, output } = paths;
            let link = |target: &str, name: &str| format!("ln -s {} {FEEDBACK}/{name}", quoted(target));
            [fresh, link(input, "input"), link(output, "user_out"), link(answer, "answer")].join(" && ")
        }
        CheckerProtocol::Icpc
        | CheckerProtocol::Testlib
        | CheckerProtocol::Cms
        | CheckerProtocol::Lemon
        | CheckerProtocol::Qduoj
        | CheckerProtocol::Hustoj => fresh,
    }
}

/// Case names may hold anything that a file name may.
fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', r"'\''"))
}

/// The checker finds its files by their names in its working folder.
pub(super) fn works_in_feedback(protocol: CheckerProtocol) -> bool {
    protocol == CheckerProtocol::Syzoj
}

/// The whole command line.
pub(super) fn argv(protocol: CheckerProtocol, program: &[String], paths: &Paths<'_>, args: &[String]) -> Vec<String> {
    let Paths { input, answer, output } = *paths;
    let in_feedback = |name: &str| format!("{FEEDBACK}/{name}");
    let (feedback, score, message) = (in_feedback(""), in_feedback(LEMON_SCORE_FILE), in_feedback(LEMON_MESSAGE_FILE));
    let full_score = LEMON_FULL_SCORE.to_string();
    let own: Vec<&str> = match protocol {
        CheckerProtocol::Icpc => vec![input, answer, &feedback],
        CheckerProtocol::Testlib => vec![input, output, answer],
        CheckerProtocol::Cms | CheckerProtocol::Hustoj => vec![input, answer, output],
        CheckerProtocol::Lemon => vec![input, output, answer, &full_score, &score, &message],
        CheckerProtocol::Qduoj => vec![input, output],
        CheckerProtocol::Syzoj => Vec::new(),
    };
    joined(program, &own, args)
}

/// The command line of a program that talks with the submission itself. An interactor of testlib is told where to leave
/// what the checker then gets as output.
pub(super) fn talking_argv(
    protocol: CheckerProtocol,
    program: &[String],
    paths: &Paths<'_>,
    args: &[String],
) -> Vec<String> {
    let Paths { input, answer, .. } = *paths;
    if protocol == CheckerProtocol::Testlib {
        let output = format!("{FEEDBACK}/{INTERACTOR_OUTPUT_FILE}");
        return joined(program, &[input, &output, answer], args);
    }
    argv(protocol, program, paths, args)
}

fn joined(program: &[String], own: &[&str], args: &[String]) -> Vec<String> {
    let own = own.iter().map(|word| (*word).to_owned());
    program.iter().cloned().chain(own).chain(args.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_has_its_order() {
        let paths = Paths { input: "/i", answer: "/a", output: "/o" };
        let said = |protocol| argv(protocol, &["/p".into()], &paths, &["x".into()]).join(" ");
        assert_eq!(said(CheckerProtocol::Icpc), "/p /i /a /tmp/feedback/ x");
        assert_eq!(said(CheckerProtocol::Testlib), "/p /i /o /a x");
        assert_eq!(said(CheckerProtocol::Cms), "/p /i /a /o x");
        assert_eq!(said(CheckerProtocol::Hustoj), "/p /i /a /o x");
        assert_eq!(said(CheckerProtocol::Qduoj), "/p /i /o x");
        assert_eq!(said(CheckerProtocol::Syzoj), "/p x");
        assert_eq!(said(CheckerProtocol::Lemon), "/p /i /o /a 100 /tmp/feedback/score /tmp/feedback/message x");
        let talks = |protocol| talking_argv(protocol, &["/p".into()], &paths, &[]).join(" ");
        assert_eq!(talks(CheckerProtocol::Icpc), "/p /i /a /tmp/feedback/");
        assert_eq!(talks(CheckerProtocol::Testlib), "/p /i /tmp/feedback/tout /a");
    }

    #[test]
    fn a_second_pass_finds_everything_but_the_last_passes_input() {
        let paths = Paths { input: "/i", answer: "/it's", output: "/o" };
        assert_eq!(preparation(CheckerProtocol::Icpc, &paths, 2), "rm -f /tmp/feedback/nextpass.in");
        assert!(preparation(CheckerProtocol::Syzoj, &paths, 1).ends_with(r"ln -s '/it'\''s' /tmp/feedback/answer"));
    }
}
