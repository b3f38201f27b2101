//! The supervisor's loop: one order at a time until the judge says goodbye or is gone.

use std::os::fd::{AsRawFd, OwnedFd};

use agon_supervisor::wire::{Channel, Hello, PROTOCOL_VERSION, Received, RunRequest, ToBox, ToHost, WireError};

use rustix::thread::sched_getaffinity;

use crate::counters::Counters;
use crate::landlock;
use crate::launch::Launcher;
use crate::premises::OwnBox;
use crate::probe;
use crate::run::{Bench, run};
use crate::wipe::Writable;

/// Says hello and serves.
///
/// # Errors
/// The judge is gone or talks nonsense. Nothing of a run lives then.
pub fn serve(own_box: &OwnBox, box_id: &str, mut control: Channel) -> Result<(), WireError> {
    let counters = Counters::open();
    let ruleset = landlock::build();
    let writable = match Writable::open(own_box) {
        Ok(writable) => writable,
        Err(reason) => return control.send(&ToHost::Refused(reason), &[]),
    };
    let hello = Hello {
        protocol: PROTOCOL_VERSION,
        box_id: box_id.to_owned(),
        probes: probe::look_around(&counters, ruleset.as_ref().map(|ruleset| ruleset.version)),
    };
    control.send(&ToHost::Hello(hello), &[])?;
    let mut launcher = Launcher::new(ruleset.map(|ruleset| ruleset.descriptor));
    // Not what the quota grants on average: within one period a program may burn on all of them.
    let cores = sched_getaffinity(None).map_or(1, |set| u64::from(set.count()));
    loop {
        let Received { frame, descriptors } = control.receive::<ToBox>()?;
        match frame {
            ToBox::Run(request) => {
                let stdio = standard_descriptors(descriptors)?;
                let mut bench =
                    Bench { own_box, launcher: &mut launcher, counters: &counters, control: &mut control, cores };
                serve_run(&mut bench, &writable, &request, stdio)?;
            }
            ToBox::Collect(request) => crate::collect::collect(&request, &control)?,
            // The run it names has already been reported.
            ToBox::Stop { .. } => {}
            ToBox::Shutdown => return Ok(()),
        }
    }
}

fn serve_run(
    bench: &mut Bench<'_>,
    writable: &Writable,
    request: &RunRequest,
    stdio: [OwnedFd; 3],
) -> Result<(), WireError> {
    let mut report = run(bench, request, stdio)?;
    if !request.keep_files {
        report.unclean = writable.wipe().err();
    }
    bench.control.send(&ToHost::Report(report), &[])
}

/// Exactly three, none of which is a number that the child overwrites before it is used.
fn standard_descriptors(descriptors: Vec<OwnedFd>) -> Result<[OwnedFd; 3], WireError> {
    let three: [OwnedFd; 3] = descriptors.try_into().map_err(|_| WireError::Closed)?;
    if three.iter().any(|descriptor| descriptor.as_raw_fd() < 3) {
        return Err(WireError::Closed);
    }
    Ok(three)
}
