//! Problems with programs of the jury.

use std::collections::BTreeMap;
use std::path::PathBuf;

use judge_core::domain::comparison::DefaultValidatorArgs;
use judge_core::domain::jury::{JuryBuild, JuryFile, JuryProgram};
use judge_core::domain::rules::{CaseRules, JudgingRules};
use judge_core::judging::{Expected, JudgeCase, JudgeableProblem};

use super::{Rig, limits};

/// Makes them; what it made lies with the rig.
pub(crate) struct Desk<'r> {
    pub(crate) rig: &'r Rig,
    pub(crate) contents: BTreeMap<String, PathBuf>,
}

impl<'r> Desk<'r> {
    pub(crate) fn new(rig: &'r Rig) -> Self {
        Self { rig, contents: BTreeMap::new() }
    }

    /// A file whose hash is made up: judging only looks it up.
    pub(crate) fn jury_file(&mut self, name: &str, text: &str, is_executable: bool) -> JuryFile {
        let hash = format!("{:064}", self.contents.len());
        let path = self.rig.file(&format!("content-{hash}"), text.as_bytes());
        self.contents.insert(hash.clone(), path);
        JuryFile { name: name.to_owned(), hash, bytes: text.len() as u64, is_executable }
    }

    pub(crate) fn program(&mut self, build: JuryBuild, files: &[(&str, &str)]) -> JuryProgram {
        let files = files.iter().map(|(name, text)| self.jury_file(name, text, *name == "run" || *name == "build"));
        JuryProgram { name: "output_validators/v".to_owned(), build, files: files.collect() }
    }

    /// A problem of these inputs and answers, called `secret/1` and so on.
    pub(crate) fn problem(&self, rules: JudgingRules, cases: &[(&str, &str)]) -> JudgeableProblem {
        let case = |(index, (input, answer)): (usize, &(&str, &str))| {
            let number = index + 1;
            JudgeCase {
                name: format!("secret/{number}"),
                is_sample: false,
                input: self.rig.file(&format!("{number}.in"), input.as_bytes()),
                expected: Expected::Answer(self.rig.file(&format!("{number}.ans"), answer.as_bytes())),
                validator: None,
                rules: CaseRules::default(),
            }
        };
        JudgeableProblem {
            limits: limits(2000, 256),
            validator: DefaultValidatorArgs::default(),
            rules,
            contents: self.contents.clone(),
            cases: cases.iter().enumerate().map(case).collect(),
        }
    }
}

pub(crate) fn cpp() -> JuryBuild {
    JuryBuild::Language("cpp17".into())
}
