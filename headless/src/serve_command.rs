//! `agon serve`: opens the data folder, prints an address that works once, serves until it is asked to stop.

use std::net::SocketAddr;

use judge_core::{Judge, JudgeConfig};

use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::serve::{Doors, Server};

/// Runs the server until Ctrl-C or SIGTERM, then hands running work back and frees the folder.
pub(crate) async fn run(listen: SocketAddr) -> Result<Exit, CommandError> {
    let config = JudgeConfig { takes_paths: false, runs_modules: true, ..JudgeConfig::new(owned::data_folder()?, "agon serve") };
    let judge = Judge::open(config).await?;
    judge.import_starters().await;
    let served = serve(judge.clone(), listen).await;
    owned::note("Stopping: work that is being judged goes back to the queue.");
    judge.close().await;
    served.map(|()| Exit::Success)
}

async fn serve(judge: Judge, listen: SocketAddr) -> Result<(), CommandError> {
    let server = Server::bind(judge, listen).await?;
    let doors = server.doors();
    let stop = server.stop_handle();
    owned::say(doors.new_address().map_err(crate::serve::ServeError::from)?)?;
    owned::note("The address works once. Press Enter for another one, Ctrl-C to stop.");
    print_more_addresses(doors);
    let serving = server.run();
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => Ok(ended?),
        asked = owned::stop_asked() => {
            asked.map_err(CommandError::Signals)?;
            stop.cancel();
            Ok(serving.await?)
        }
    }
}

/// Each Enter in the terminal prints a new address. A plain thread: a read of a terminal cannot be cancelled, and
/// the program's end must not wait for one.
fn print_more_addresses(doors: Doors) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let printed = line.is_ok() && doors.new_address().is_ok_and(|address| owned::say(address).is_ok());
            if !printed {
                return;
            }
        }
    });
}
