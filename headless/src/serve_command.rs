//! `agon serve`: opens the data folder, prints an address that works once, serves until it is asked to stop.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use agon_contract::{ApiError, ErrorCode};
use judge_core::{Holder, Judge, JudgeConfig, OpenError};

use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::serve::metrics::MetricsToken;
use crate::serve::{Doors, Server};

/// Where to serve, and who may read the metrics.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// Loopback address and port; port 0 lets the system choose.
    #[arg(long, default_value = "127.0.0.1:4077", value_parser = loopback)]
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
    let judge = Judge::open(config).await.inspect_err(|error| {
        if matches!(error, OpenError::Occupied { program, .. } if program == "agon serve") {
            owned::note("It is served already: `agon address` prints a new address for a browser.");
        }
    })?;
    judge.import_starters().await;
    let served = serve(judge.clone(), asked.listen, metrics_token).await;
    judge.close().await;
    served.map(|()| Exit::Success)
}

/// Asks the server that runs on the data folder for one more address.
pub(crate) async fn new_address() -> Result<Exit, CommandError> {
    let folder = owned::data_folder()?;
    let address = match Holder::of(&folder) {
        Some(holder) => holder.new_address().await?,
        None => None,
    };
    owned::say(address.ok_or(CommandError::NothingServes(folder))?)?;
    Ok(Exit::Success)
}

async fn serve(judge: Judge, listen: SocketAddr, metrics_token: Option<MetricsToken>) -> Result<(), CommandError> {
    let mut server = Server::bind(judge.clone(), listen).await?;
    if let Some(token) = metrics_token {
        server = server.with_metrics_token(token);
    }
    let doors = Arc::new(server.doors());
    let stop = server.stop_handle();
    owned::say(doors.new_address().map_err(crate::serve::ServeError::from)?)?;
    offer_addresses(&judge, &doors);
    if std::io::stdin().is_terminal() {
        owned::note("The address works once. Press Enter for another one, Ctrl-C to stop.");
        print_more_addresses(doors);
    } else {
        owned::note("The address works once. `agon address` prints another one; SIGTERM stops the server.");
    }
    let serving = server.run();
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => Ok(()),
        asked = owned::stop_asked() => {
            asked.map_err(CommandError::Signals)?;
            owned::note("Stopping: work that is being judged goes back to the queue.");
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

/// Weakly: the doors hold the judge, which must not hold them for ever.
fn offer_addresses(judge: &Judge, doors: &Arc<Doors>) {
    let doors = Arc::downgrade(doors);
    judge.offer_addresses(Arc::new(move || {
        let doors = doors.upgrade().ok_or_else(|| ApiError::new(ErrorCode::NotFound, "the server has stopped"))?;
        doors.new_address().map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
    }));
}

/// Each Enter in the terminal prints a new address. A plain thread: a read of a terminal cannot be cancelled, and
/// the program's end must not wait for one.
fn print_more_addresses(doors: Arc<Doors>) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines() {
            let printed = line.is_ok() && doors.new_address().is_ok_and(|address| owned::say(address).is_ok());
            if !printed {
                return;
            }
        }
    });
}

/// An address of this machine's loopback; `localhost` is its name.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map_or_else(|| text.to_owned(), |port| format!("127.0.0.1:{port}"));
    let address = numeric.parse::<SocketAddr>();
    let address = address.map_err(|_| "an address and a port are needed, e.g. 127.0.0.1:4077".to_owned())?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("the server is for this machine only: 127.0.0.1, [::1] or localhost".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_listens_where_only_this_machine_reaches_it() {
        for (text, expected) in [
            ("127.0.0.1:0", Some("127.0.0.1:0")),
            ("localhost:4078", Some("127.0.0.1:4078")),
            ("[::1]:80", Some("[::1]:80")),
            ("0.0.0.0:4077", None),
            ("127.0.0.1", None),
            ("localhost:", None),
            ("example.org:80", None),
        ] {
            assert_eq!(loopback(text).ok().map(|address| address.to_string()).as_deref(), expected, "{text}");
        }
    }
}
