//! `agon serve`: opens the data folder, prints an address that works once, serves until it is asked to stop.

use std::net::SocketAddr;
use std::path::PathBuf;

use judge_core::{Judge, JudgeConfig};

use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::serve::metrics::MetricsToken;
use crate::serve::{Doors, Server};

/// Where to serve, and who may read the metrics.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// Loopback address and port; port 0 lets the system choose.
    #[arg(long, default_value = "127.0.0.1:4077")]
    listen: SocketAddr,
    /// File with the token that a scraper sends to /metrics as `Authorization: Bearer`; without one only a session
    /// reads them.
    #[arg(long, value_name = "FILE")]
    metrics_token_file: Option<PathBuf>,
}

/// Runs the server until Ctrl-C or SIGTERM, then hands running work back and frees the folder.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let metrics_token = metrics_token(asked.metrics_token_file)?;
    let config =
        JudgeConfig { takes_paths: false, runs_modules: true, ..JudgeConfig::new(owned::data_folder()?, "agon serve") };
    let judge = Judge::open(config).await?;
    judge.import_starters().await;
    let served = serve(judge.clone(), asked.listen, metrics_token).await;
    owned::note("Stopping: work that is being judged goes back to the queue.");
    judge.close().await;
    served.map(|()| Exit::Success)
}

async fn serve(judge: Judge, listen: SocketAddr, metrics_token: Option<MetricsToken>) -> Result<(), CommandError> {
    let server = match metrics_token {
        Some(token) => Server::bind(judge, listen).await?.with_metrics_token(token),
        None => Server::bind(judge, listen).await?,
    };
    let doors = server.doors();
    let stop = server.stop_handle();
    owned::say(doors.new_address().map_err(crate::serve::ServeError::from)?)?;
    owned::note("The address works once. Press Enter for another one, Ctrl-C to stop.");
    print_more_addresses(doors);
    let serving = server.run();
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => Ok(()),
        asked = owned::stop_asked() => {
            asked.map_err(CommandError::Signals)?;
            stop.cancel();
            serving.await;
            Ok(())
        }
    }
}

/// From a file and not from the command line, which everybody on the machine can read.
fn metrics_token(file: Option<PathBuf>) -> Result<Option<MetricsToken>, CommandError> {
    let Some(path) = file else { return Ok(None) };
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some(MetricsToken::new(text.trim())?)),
        Err(source) => Err(CommandError::Source { path, source }),
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
