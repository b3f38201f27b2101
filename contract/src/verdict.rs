//! Verdicts: what a judgement or a run says about the contestant's program.

use crate::wire_enum::wire_enum;

wire_enum! {
    /// A judgement type in the field's letters. `JE` is our fault or the package's: it stays pending for scoring and is
    /// never shown as the contestant's failure. (CLICS Contest API `judgement-types`; "RE" there means Rejected, so a
    /// run-time error is `RTE`.)
    Verdict {
        /// Accepted.
        Accepted = "AC",
        /// Wrong answer.
        WrongAnswer = "WA",
        /// Time limit exceeded (CPU, or wall clock for a program that idles).
        TimeLimit = "TLE",
        /// Run-time error: non-zero exit, a signal, or the fork limit.
        RunTimeError = "RTE",
        /// Memory limit exceeded.
        MemoryLimit = "MLE",
        /// Output limit exceeded.
        OutputLimit = "OLE",
        /// Compile error.
        CompileError = "CE",
        /// Judge error: ours or the package's.
        JudgeError = "JE",
    }
}

impl Verdict {
    /// Whether a contestant's program passed.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        *self == Verdict::Accepted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_survives_its_text() {
        for verdict in Verdict::KNOWN {
            assert_eq!(&Verdict::from(verdict.as_str()), verdict);
        }
    }

    #[test]
    fn a_newer_peers_verdict_is_kept_as_it_came() {
        let json = "\"APE\"";
        let verdict: Verdict = serde_json::from_str(json).expect("unknown verdicts parse");
        assert_eq!(verdict, Verdict::Unknown("APE".into()));
        assert_eq!(serde_json::to_string(&verdict).expect("verdicts serialise"), json);
    }
}
