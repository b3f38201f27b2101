//! The crash story: clients do everything a person can while the program is killed again and again, at named places and
//! at any time; at the end every promise is looked at.
//!
//! Each round starts the real server, lets a few clients work and kills it with SIGKILL: by the shim at a [`sites`] site,
//! or, when the round is over before the site was reached, by time. Clients stop at the first broken connection, as
//! browsers do, and the next round's clients go on with what is known, the same keys included.

pub mod audit;
pub mod clients;
pub mod report;
pub mod sites;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_contract::command::ListSubmissions;
use agon_contract::rejudge::Revive;
use agon_contract::submission::{Stage, SubmissionSummary};
use agon_contract::verdict::Verdict;

use crate::children::Group;
use crate::cli::agon;
use crate::client::Client;
use crate::parts::{self, Missing};
use crate::promises::{self, Ledger, Promise};
use crate::rooms::TempData;
use crate::seed::Dice;
use crate::serve::{JUDGED_WITHIN, Serve};
use crate::shim::Shim;
use crate::wait;
use crate::work::{Work, package};
use clients::Town;
use report::Report;
use sites::Site;

/// How long a server may live when its site is not reached.
const ROUND: Duration = Duration::from_millis(2_500);
const CLIENTS: u64 = 3;
/// Kills after which an undisturbed server works off what waits, so that a long soak does not end with a queue of hours.
const CATCH_UP_EVERY: u32 = 25;
/// Rounds whose site may already be reached while the server starts.
const ARMED_AT_START_PERCENT: usize = 25;
/// Looked for sites by the names of the store's transactions.
const LOG: &str = "judge_core::store::owner_store=trace,warn";

/// Kills the program `kills` times; `progress` hears a line for each.
///
/// # Errors
/// A part is missing.
///
/// # Panics
/// A promise is broken, or the program does not come up again.
pub fn run(kills: u32, seed: u64, mut progress: impl FnMut(&str)) -> Result<Report, Missing> {
    let mut place = TempData::new();
    let shim = Shim::build(&place)?;
    let root = place.path().to_owned();
    let zipped = package(&place.path().join("home"));
    let ledger = Arc::new(Mutex::new(Ledger::default()));
    let (mut server, address) = Serve::start_unopened(&place)?;
    let first = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(&ledger) };
    let problem = first.import(&zipped).expect("the first import, undisturbed");
    assert!(server.ask_to_end().success(), "{}", server.printed());
    let town = Town::new(problem, zipped);
    let mut report = Report::default();
    let mut dice = Dice::new(seed);
    shim.preload(&mut place, &root);
    place.set("AGON_LOG", LOG);
    for number in 1..=kills {
        let site = sites::choose(&mut dice);
        let told = round(&mut place, &shim, &site, &town, &ledger, &mut dice)?;
        progress(&format!("kill {number} of {kills}: {told}"));
        report.count(&told);
        if number % CATCH_UP_EVERY == 0 && number < kills {
            let judged = catch_up(&mut place, &ledger)?;
            progress(&format!("{judged} submissions so far, all judged"));
        }
    }
    place.unset("AGON_SHIM_KILL");
    place.unset("LD_PRELOAD");
    place.unset("AGON_LOG");
    finish(&place, &town, &ledger, &mut report)?;
    place.assert_nothing_left();
    Ok(report)
}

/// A life without a kill, until nothing waits; answers how many submissions there are.
fn catch_up(place: &mut TempData, ledger: &Arc<Mutex<Ledger>>) -> Result<usize, Missing> {
    place.unset("AGON_SHIM_KILL");
    let (mut server, address) = Serve::start_unopened(place)?;
    let work = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(ledger) };
    let judged = when_all_finished(&work).len();
    assert!(server.ask_to_end().success(), "{}", server.printed());
    Ok(judged)
}

/// Every row, as soon as none waits. However many there are, it is given up only when none has got on for long.
fn when_all_finished(work: &Work) -> Vec<SubmissionSummary> {
    let mut fewest = usize::MAX;
    loop {
        let step = wait::until("a submission to be judged", JUDGED_WITHIN, || {
            let (rows, open) = look_at_rows(work)?;
            if open.is_empty() {
                Ok(Ok(rows))
            } else if open.len() < fewest {
                Ok(Err(open.len()))
            } else {
                Err(format!("open: {open:?}"))
            }
        });
        match step {
            Ok(rows) => return rows,
            Err(fewer) => fewest = fewer,
        }
    }
}

/// One life of the server; answers how it ended.
fn round(
    place: &mut TempData,
    shim: &Shim,
    site: &Site,
    town: &Town,
    ledger: &Arc<Mutex<Ledger>>,
    dice: &mut Dice,
) -> Result<String, Missing> {
    shim.disarm();
    shim.kill(place, site);
    let deaths_before = shim.said().len();
    let armed_at_start = dice.chance(ARMED_AT_START_PERCENT);
    if armed_at_start {
        shim.arm();
    }
    let Some((mut server, address)) = start(place)? else {
        assert!(shim.said().len() > deaths_before, "the server ended by itself, see its log");
        return Ok(format!("{site}, during the start"));
    };
    let patience = ROUND.mul_f64(0.2 + 0.8 * (dice.below(1000) as f64 / 1000.0));
    let seeds: Vec<u64> = (0..CLIENTS).map(|_| dice.throw()).collect();
    std::thread::scope(|scope| {
        let session = Client::enter(&address);
        for seed in &seeds {
            let session = session.clone();
            scope.spawn(move || {
                if let Ok(client) = session {
                    town.live(&Work { client, ledger: Arc::clone(ledger) }, &mut Dice::new(*seed));
                }
            });
        }
        if !armed_at_start {
            std::thread::sleep(Duration::from_millis(dice.throw() % 300));
            shim.arm();
        }
        let started = Instant::now();
        while server.ended().is_none() && started.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        if server.ended().is_none() {
            server.crash();
        }
    });
    let by_site = shim.said().len() > deaths_before;
    Ok(if by_site { site.to_string() } else { "any time".to_owned() })
}

/// Starts a server; `None` when it died before it printed its address.
fn start(place: &TempData) -> Result<Option<(Group, String)>, Missing> {
    let mut command = place.command(&parts::headless()?);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let name = format!("serve-{}", uuid::Uuid::now_v7().simple());
    let mut process = Group::start(&name, &mut command, &place.logs());
    let address = wait::until("the server's address or its death", JUDGED_WITHIN, || {
        let printed = process.printed();
        match printed.lines().find(|line| line.starts_with("http://")) {
            Some(address) => Ok(Some(address.to_owned())),
            None if process.ended().is_some() => Ok(None),
            None => Err(printed),
        }
    });
    Ok(address.map(|address| (process, address)))
}

/// Lets everything be judged by an undisturbed server, then looks at every promise and every verdict.
fn finish(place: &TempData, town: &Town, ledger: &Arc<Mutex<Ledger>>, report: &mut Report) -> Result<(), Missing> {
    let (mut server, address) = Serve::start_unopened(place)?;
    let work = Work { client: Client::enter(&address).expect("a session"), ledger: Arc::clone(ledger) };
    let rows = when_all_finished(&work);
    let wrong: Vec<String> = rows.iter().filter_map(|row| town.why_wrong(&work, row)).collect();
    assert!(wrong.is_empty(), "{} submissions have a wrong end:\n{}", wrong.len(), wrong.join("\n"));
    wait::until("the audit log to be told everything", JUDGED_WITHIN, || audit::why_incomplete(&place.data()));
    // The engine may only now have made a box that a dead process asked for; the sweep goes on.
    wait::until("boxes of dead servers to be gone", JUDGED_WITHIN, || {
        let instances: std::collections::BTreeSet<String> =
            place.boxes().iter().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
        if instances.len() <= 1 { Ok(()) } else { Err(format!("{instances:#?}")) }
    });
    assert!(server.ask_to_end().success(), "{}", server.printed());
    drop(work);
    let ledger = ledger.lock().expect("no panic").clone();
    let promises: Vec<&Promise> = ledger.promises.iter().collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let broken = runtime.block_on(promises::check(&place.data(), &ledger, &promises));
    assert!(broken.is_empty(), "{} promises are broken:\n{}", broken.len(), broken.join("\n"));
    let said = agon(place, &["audit", "verify"])?;
    assert_eq!(said.code, 0, "the audit log's chain is broken: {said:#?}");
    report.promises = promises.len();
    report.submissions = rows.len();
    Ok(())
}

/// Every row, and the numbers of those that wait. What ran out of attempts, because the program died under it too often,
/// is revived as staff would.
fn look_at_rows(work: &Work) -> Result<(Vec<SubmissionSummary>, Vec<u64>), String> {
    let mut page = ListSubmissions { problem_id: None, user_id: None, before_number: None, limit: 200 };
    let mut rows = Vec::new();
    let mut open = Vec::new();
    loop {
        let found = work.client.call(&page).map_err(|broken| broken.to_string())?.answer;
        rows.extend(found.rows);
        page.before_number = found.next_before_number;
        if page.before_number.is_none() {
            break;
        }
    }
    for row in &rows {
        match row.progress.stage {
            Stage::Finished => {}
            Stage::NeedsAttention => {
                let _ = work.client.call(&Revive { submission_id: row.id.clone() });
                open.push(row.number);
            }
            _ => open.push(row.number),
        }
    }
    Ok((rows, open))
}

/// The verdict that a program of the town deserves.
#[must_use]
pub fn deserved(is_right: bool) -> Verdict {
    if is_right { Verdict::Accepted } else { Verdict::WrongAnswer }
}
