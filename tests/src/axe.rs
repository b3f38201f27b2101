//! axe-core in the page: what a person with a screen reader or with little contrast would stumble over.

use serde_json::Value;

use crate::parts::{self, Missing};
use crate::webdriver::Session;

/// The script, ready to be put into a page.
#[derive(Debug)]
pub struct Axe {
    script: String,
}

/// What is worth failing for, one line each; `incomplete` results are for a person.
const LOOK: &str = "return axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations
    .filter(rule => rule.impact === 'serious' || rule.impact === 'critical')
    .flatMap(rule => rule.nodes.map(node =>
        `${rule.id} (${rule.impact}): ${rule.help}; ${node.target.join(' ')}; ${node.html.slice(0, 200)}; ${(node.any[0] || node.all[0] || node.none[0] || {}).message || ''}`)))";

impl Axe {
    /// Reads the script.
    ///
    /// # Errors
    /// It has not been fetched.
    ///
    /// # Panics
    /// It cannot be read.
    pub fn load() -> Result<Self, Missing> {
        let file = parts::axe()?;
        Ok(Self { script: std::fs::read_to_string(file).expect("the script can be read") })
    }

    /// Looks at the page as it is now and answers its serious and critical faults.
    ///
    /// # Panics
    /// The script does not run.
    #[must_use]
    pub fn faults(&self, session: &Session) -> Vec<String> {
        let is_there = session.run("return typeof axe !== 'undefined'", &[]).expect("the page answers");
        if is_there != Value::Bool(true) {
            session.run(&self.script, &[]).expect("axe-core loads");
        }
        let found = session.run(LOOK, &[]).expect("axe-core looks");
        let lines = found.as_array().expect("a list").iter();
        lines.map(|line| line.as_str().unwrap_or_default().to_owned()).collect()
    }
}
