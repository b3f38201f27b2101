//! Evaluation of the tree of groups over the results so far.

use agon_contract::verdict::Verdict;

use super::groups::{Grader, Group, GroupRule, ScoreMode, Share};
use super::{CaseResult, CaseScore, GradedCase, GroupResult};

/// Millionths are what a score is exact to; less is noise of the arithmetic.
const NOISE: f64 = 1e-6;

/// The tree with the cases in it. A node comes before its children.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Cases of no group.
    outside: Vec<usize>,
    cases: Vec<GradedCase>,
}

#[derive(Debug)]
struct Node {
    group: Group,
    /// In judging order.
    children: Vec<Child>,
}

#[derive(Clone, Copy, Debug)]
enum Child {
    Case(usize),
    Group(usize),
}

/// Why there is no result.
#[derive(Debug, PartialEq)]
pub(super) enum Stop {
    Wants(usize),
    /// The package's fault, in words.
    Fault(String),
}

/// What a case or group came to.
#[derive(Clone, Debug)]
struct Outcome {
    verdict: Verdict,
    score: f64,
    /// The case that decided the verdict, if it is not accepted.
    deciding: Option<usize>,
    is_blocked: bool,
}

/// What the whole came to.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) verdict: Verdict,
    pub(super) score: f64,
    pub(super) max_score: Option<f64>,
    pub(super) deciding: Option<usize>,
    pub(super) groups: Vec<GroupResult>,
}

/// One look at the results.
struct Look<'a> {
    tree: &'a Tree,
    results: &'a [Option<CaseResult>],
    outcomes: Vec<Option<Outcome>>,
}

impl Tree {
    pub(super) fn new(root: &Group, cases: &[GradedCase]) -> Self {
        let mut tree = Self { nodes: Vec::new(), outside: Vec::new(), cases: cases.to_vec() };
        tree.add(root);
        for (index, case) in cases.iter().enumerate() {
            let holds = |node: &Node| is_in(&case.name, &node.group.name);
            match (0..tree.nodes.len())
                .filter(|&n| holds(&tree.nodes[n]))
                .max_by_key(|&n| tree.nodes[n].group.name.len())
            {
                Some(node) => tree.nodes[node].children.push(Child::Case(index)),
                None => tree.outside.push(index),
            }
        }
        tree.order(0);
        tree
    }

    fn add(&mut self, group: &Group) -> usize {
        let index = self.nodes.len();
        let plain = Group { groups: Vec::new(), ..group.clone() };
        self.nodes.push(Node { group: plain, children: Vec::new() });
        for child in &group.groups {
            let child = Child::Group(self.add(child));
            self.nodes[index].children.push(child);
        }
        index
    }

    /// Sorts the children by their first cases, and gives the node's own first case. Groups without cases are no
    /// children: nothing was accepted there, and no least score is 0 for their sake.
    fn order(&mut self, node: usize) -> usize {
        let children = self.nodes[node].children.clone();
        let mut keyed: Vec<(usize, Child)> = children
            .into_iter()
            .map(|child| match child {
                Child::Case(case) => (case, child),
                Child::Group(group) => (self.order(group), child),
            })
            .collect();
        keyed.retain(|&(first, _)| first != usize::MAX);
        keyed.sort_by_key(|&(first, _)| first);
        let first = keyed.first().map_or(usize::MAX, |&(first, _)| first);
        self.nodes[node].children = keyed.into_iter().map(|(_, child)| child).collect();
        first
    }

    /// Verdict and score, or the case that is wanted for them.
    pub(super) fn look(&self, results: &[Option<CaseResult>]) -> Result<Whole, Stop> {
        let mut look = Look { tree: self, results, outcomes: vec![None; self.nodes.len()] };
        look.check_kinds()?;
        let outside = look.outside()?;
        let root = look.group(0)?;
        let group = &self.nodes[0].group;
        let (max_score, score) = match &group.rule {
            GroupRule::Share(_) => (group.max_score, root.score),
            // Only what is accepted has a score. (Legacy, "Scoring problems".)
            GroupRule::Grader(grader) => (grader.most, if root.verdict.is_accepted() { root.score } else { 0.0 }),
        };
        let (verdict, deciding) = match outside {
            Some(case) => (look.verdict(case).clone(), Some(case)),
            None => (root.verdict.clone(), root.deciding),
        };
        Ok(Whole { verdict, score, max_score, deciding, groups: look.group_results(&root) })
    }
}

/// Whether a case of that name lies in the folder.
fn is_in(case: &str, folder: &str) -> bool {
    folder.is_empty() || case.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl Look<'_> {
    /// A validator that ever writes one kind of score never writes the other. (2025-09, "Scores".)
    fn check_kinds(&self) -> Result<(), Stop> {
        let scores = || {
            let inside = |case: &usize| !self.tree.outside.contains(case);
            (0..self.results.len())
                .filter(inside)
                .filter_map(|case| self.results[case].as_ref())
                .map(|result| result.score)
        };
        if scores().any(|score| matches!(score, CaseScore::Points(_)))
            && scores().any(|score| matches!(score, CaseScore::Multiplier(_)))
        {
            return Err(Stop::Fault("the validator wrote a score for one case and a multiplier for another".into()));
        }
        Ok(())
    }

    /// The first failing case outside of the tree.
    fn outside(&self) -> Result<Option<usize>, Stop> {
        for &case in &self.tree.outside {
            if !self.result(case)?.verdict.is_accepted() {
                return Ok(Some(case));
            }
        }
        Ok(None)
    }

    fn result(&self, case: usize) -> Result<&CaseResult, Stop> {
        self.results[case].as_ref().ok_or(Stop::Wants(case))
    }

    /// Of a case that has been run.
    fn verdict(&self, case: usize) -> &Verdict {
        self.results[case].as_ref().map_or(&Verdict::JudgeError, |result| &result.verdict)
    }

    fn group(&mut self, node: usize) -> Result<Outcome, Stop> {
        let tree = self.tree;
        let Node { group, children } = &tree.nodes[node];
        let outcome = match self.blocked_by(group)? {
            Some((verdict, deciding)) => Outcome { verdict, score: 0.0, deciding, is_blocked: true },
            None => match &group.rule {
                GroupRule::Share(share) => self.share(*share, group, children)?,
                GroupRule::Grader(grader) => self.grade(grader, group, children)?,
            },
        };
        self.outcomes[node] = Some(outcome.clone());
        Ok(outcome)
    }

    /// The verdict and case that keep the group from being run.
    fn blocked_by(&self, group: &Group) -> Result<Option<(Verdict, Option<usize>)>, Stop> {
        for name in &group.requires {
            if name == "sample" && !self.tree.outside.is_empty() {
                if let Some(case) = self.outside()? {
                    return Ok(Some((self.verdict(case).clone(), Some(case))));
                }
                continue;
            }
            let is_named = |node: &Node| node.group.name == *name || node.group.name == format!("secret/{name}");
            let node = self.tree.nodes.iter().position(is_named);
            let Some(outcome) = node.and_then(|node| self.outcomes[node].as_ref()) else {
                return Err(Stop::Fault(format!(
                    "group `{}` requires `{name}`, which is no earlier group",
                    group.name
                )));
            };
            if !outcome.verdict.is_accepted() {
                return Ok(Some((outcome.verdict.clone(), outcome.deciding)));
            }
        }
        Ok(None)
    }

    fn share(&mut self, share: Share, group: &Group, children: &[Child]) -> Result<Outcome, Stop> {
        let cases = children.iter().filter(|child| matches!(child, Child::Case(_))).count();
        let ends_at_failure = cases == children.len() && matches!(share, Share::PassFail | Share::Min);
        let (mut scores, mut failure) = (Vec::new(), None);
        for &child in children {
            let outcome = match child {
                Child::Group(node) => self.group(node)?,
                Child::Case(case) => {
                    let result = self.result(case)?;
                    let score = self.case_score(share, group, cases, case, result)?;
                    Outcome { verdict: result.verdict.clone(), score, deciding: Some(case), is_blocked: false }
                }
            };
            scores.push(outcome.score);
            if !outcome.verdict.is_accepted() && failure.is_none() {
                failure = Some((outcome.verdict, outcome.deciding));
                if ends_at_failure {
                    break;
                }
            }
        }
        let score = match share {
            Share::PassFail => {
                if failure.is_none() {
                    group.max_score.unwrap_or(0.0)
                } else {
                    0.0
                }
            }
            Share::Sum => ScoreMode::Sum.of(&scores),
            Share::Min => ScoreMode::Min.of(&scores),
            Share::Max => ScoreMode::Max.of(&scores),
        };
        if let Some(max) = group.max_score.filter(|max| score > max + NOISE) {
            return Err(Stop::Fault(format!("group `{}` came to {score} of at most {max} points", group.name)));
        }
        let (verdict, deciding) = failure.unwrap_or((Verdict::Accepted, None));
        Ok(Outcome { verdict, score, deciding, is_blocked: false })
    }

    /// (2025-09, "Scores of test cases".)
    fn case_score(
        &self,
        share: Share,
        group: &Group,
        cases: usize,
        case: usize,
        result: &CaseResult,
    ) -> Result<f64, Stop> {
        let GradedCase { name, points, .. } = &self.tree.cases[case];
        let fault = |what: &str| Err(Stop::Fault(format!("case `{name}`: {what}")));
        let worth = match share {
            Share::Sum => points.or(group.max_score.map(|max| max / cases as f64)),
            Share::PassFail | Share::Min | Share::Max => group.max_score,
        };
        match (result.score, worth) {
            (CaseScore::Unstated, _) if !result.verdict.is_accepted() => Ok(0.0),
            (_, _) if !result.verdict.is_accepted() => fault("the validator gave a score to a rejected run"),
            (CaseScore::Unstated, _) if share == Share::PassFail => Ok(0.0),
            (_, _) if share == Share::PassFail => fault("the validator gave a score in a pass-fail group"),
            (CaseScore::Unstated, Some(worth)) => Ok(worth),
            (CaseScore::Unstated, None) => fault("the validator gave no score in an unbounded group"),
            (CaseScore::Multiplier(_), None) => fault("the validator gave a multiplier in an unbounded group"),
            (CaseScore::Multiplier(part), Some(worth)) if (0.0..=1.0).contains(&part) => Ok(part * worth),
            (CaseScore::Multiplier(_), Some(_)) => fault("the validator's multiplier is not within 0 and 1"),
            (CaseScore::Points(points), _) if !(points.is_finite() && points >= 0.0) => {
                fault("the validator's score is negative or no number")
            }
            (CaseScore::Points(points), Some(worth)) if points > worth + NOISE => {
                fault("the validator's score is more than the case is worth")
            }
            (CaseScore::Points(points), _) => Ok(points),
        }
    }

    fn grade(&mut self, grader: &Grader, group: &Group, children: &[Child]) -> Result<Outcome, Stop> {
        let (mut scores, mut verdicts) = (Vec::new(), Vec::new());
        for &child in children {
            let (outcome, is_sample) = match child {
                Child::Group(node) => (self.group(node)?, self.tree.nodes[node].group.name == "sample"),
                Child::Case(case) => (self.graded_case(grader, case)?, false),
            };
            if is_sample && grader.ignores_sample {
                continue;
            }
            let is_accepted = outcome.verdict.is_accepted();
            scores.push(outcome.score);
            verdicts.push((outcome.verdict, outcome.deciding));
            if grader.breaks && !is_accepted {
                break;
            }
        }
        let score = grader.score.of(&scores);
        let is_outside = grader.least.is_some_and(|least| score < least - NOISE)
            || grader.most.is_some_and(|most| score > most + NOISE);
        if is_outside {
            return Err(Stop::Fault(format!("group `{}` came to {score} points, outside of its range", group.name)));
        }
        let (verdict, deciding) = grader.choose(&verdicts);
        Ok(Outcome { verdict, score, deciding, is_blocked: false })
    }

    fn graded_case(&self, grader: &Grader, case: usize) -> Result<Outcome, Stop> {
        let result = self.result(case)?;
        let name = &self.tree.cases[case].name;
        let score = match result.score {
            CaseScore::Unstated if result.verdict.is_accepted() => grader.accept_score,
            CaseScore::Unstated => grader.reject_score,
            CaseScore::Points(points) if points.is_finite() => points,
            CaseScore::Points(_) => {
                return Err(Stop::Fault(format!("case `{name}`: the validator's score is no number")));
            }
            CaseScore::Multiplier(_) => {
                return Err(Stop::Fault(format!("case `{name}`: legacy problems know no score multiplier")));
            }
        };
        Ok(Outcome { verdict: result.verdict.clone(), score, deciding: Some(case), is_blocked: false })
    }

    /// Every group below the root (and a root that has a name); those not run because of a `break` are blocked.
    fn group_results(&self, root: &Outcome) -> Vec<GroupResult> {
        let named = self
            .tree
            .nodes
            .iter()
            .zip(&self.outcomes)
            .filter(|(node, _)| !node.group.name.is_empty() && !node.children.is_empty());
        named
            .map(|(Node { group, .. }, outcome)| GroupResult {
                name: group.name.clone(),
                verdict: outcome.as_ref().unwrap_or(root).verdict.clone(),
                score: outcome.as_ref().map_or(0.0, |outcome| outcome.score),
                max_score: match &group.rule {
                    GroupRule::Share(_) => group.max_score,
                    GroupRule::Grader(grader) => grader.most,
                },
                is_blocked: outcome.as_ref().is_none_or(|outcome| outcome.is_blocked),
            })
            .collect()
    }
}
