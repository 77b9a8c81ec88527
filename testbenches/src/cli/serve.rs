//! The command `serve`: pages of runs in a browser on this machine, whose parameters are changed there with the mouse.
//!
//! ```text
//!   browser                    cubewave serve                              cubewave run BENCH ... --picture -
//!     /           ----------->   guard --> the frame: controls beside a page
//!     /controls?  ----------->   guard --> asked --> controls, as JSON
//!     /run?       ----------->   guard --> asked --> process --------------> the page, on its standard output
//! ```
//!
//! A run is a process of its own: it ends when the browser no longer waits for it, or when it has taken too long, and whatever
//! happens in it, the server goes on. Nothing is written.

mod answer;
mod asked;
mod control;
#[cfg(test)]
mod fuzz;
mod guard;
pub(super) mod process;

use std::convert::Infallible;
use std::io::IsTerminal;
use std::net::{Ipv4Addr, TcpListener};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::sync::Semaphore;
use tokio::task::LocalSet;

use crate::error::Error;
use crate::error::refusal::{Refusal, unprintable};
use crate::interrupt;
use crate::options::processors;
use crate::output::Stream;
use crate::progress;
use crate::viewer::has_display;
use answer::Server;

/// What stands below its options.
pub(super) const EXAMPLES: &str = "\
Examples:
  cubewave serve               open the page in the browser; Ctrl-C stops
  cubewave serve --port 8080   on another port
  cubewave serve --no-open     print the address alone";

/// How often to look whether it is to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
/// How long a browser may take to say what it asks for.
const LONGEST_HEAD: Duration = Duration::from_secs(5);
/// How long it may take to ask, wait and read the answer.
const LONGEST_CONNECTION: Duration = Duration::from_secs(120);
/// Bytes of what it says.
const MOST_HEAD_BYTES: usize = 16 << 10;
/// Connections at once; others wait.
const MOST_CONNECTIONS: usize = 32;

/// Its arguments.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Serve {
    /// Port to listen on, of this machine alone; 0 for one that is free
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 7070,
        help_heading = "Server"
    )]
    port: u16,

    /// Print the address, and open no browser [default: one is opened where there is a terminal and a display]
    #[arg(long, help_heading = "Server")]
    no_open: bool,
}

impl Serve {
    /// Serves until it is interrupted.
    ///
    /// # Errors
    /// A port that cannot be had; no process or thread to serve with.
    pub fn execute(self) -> Result<(), Error> {
        let refused = |reason| -> Error {
            Refusal::of(format!(
                "cannot listen on port {} of this machine",
                self.port
            ))
            .because(reason)
            .instead("give another (--port), or 0 for one that is free")
            .into()
        };
        // It goes on for as long as somebody wishes.
        progress::is_foretold();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let port = listener.local_addr().map_err(refused)?.port();
        let server = Server::new(port, processors())?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.map_err(Error::no_threads)?;
        let address = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
        let said = format!("runs are at {address} for browsers on this machine; Ctrl-C stops\n");
        Stream::Output.print(said.as_bytes()).map_err(unprintable)?;
        let is_looked_at = std::io::stdout().is_terminal();
        if !self.no_open && is_looked_at && has_display(|name| std::env::var_os(name)) {
            // The address is printed: without a browser one can still go there.
            _ = open::that_detached(&address);
        }
        LocalSet::new().block_on(&runtime, async {
            let listener = tokio::net::TcpListener::from_std(listener).map_err(refused)?;
            accept(listener, Rc::new(server)).await;
            Ok(())
        })
    }
}

/// Answers whoever asks, until it is interrupted. Runs that are under way end with it.
async fn accept(listener: tokio::net::TcpListener, server: Rc<Server>) {
    let seats = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    while interrupt::check().is_ok() {
        let next = async {
            let seat = Arc::clone(&seats).acquire_owned().await.ok()?;
            Some((seat, listener.accept().await.ok()?.0))
        };
        let (seat, stream) = match tokio::time::timeout(BETWEEN_LOOKS, next).await {
            Ok(Some(accepted)) => accepted,
            Err(_) => continue,
            // The system has no room for another: some may be closed soon.
            Ok(None) => {
                tokio::time::sleep(BETWEEN_LOOKS).await;
                continue;
            }
        };
        let server = Rc::clone(&server);
        tokio::task::spawn_local(async move {
            let answers = service_fn(|request| {
                let server = Rc::clone(&server);
                async move { Ok::<_, Infallible>(server.answer(&request).await) }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(LONGEST_HEAD)
                .max_buf_size(MOST_HEAD_BYTES)
                .keep_alive(false)
                .serve_connection(TokioIo::new(stream), answers);
            // A browser that has gone away is no error.
            _ = tokio::time::timeout(LONGEST_CONNECTION, connection).await;
            drop(seat);
        });
    }
}
