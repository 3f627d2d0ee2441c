//! The connection to the server: TCP or TLS, lines of limited length, keep-alive, a log.
//!
//! A separate thread reads while the client's thread writes, so a server that sends nothing, or too
//! much, never blocks the client.

use crate::config::Config;
use crate::notice::{ConnectError, FileFault, Lost, NoAddress, TlsFault};
use crate::protocol::Command;
use crossbeam_channel::{Receiver, Sender, bounded};
use monomi_record::Encoding;
use monomi_support::batch::files;
use monomi_support::text::io_error;
use rustls::pki_types::ServerName;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Longest line in bytes; the rest of longer lines is dropped.
pub const LONGEST_LINE: usize = 16 << 10;
/// Number of lines that are queued for the client. Beyond that, TCP flow control stops the server.
const WAITING_LINES: usize = 256;
/// Time limit for connecting to each address of the server.
const CONNECT: Duration = Duration::from_secs(10);
/// Time limit for the TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(15);
/// Time limit for sending a line.
const WRITE: Duration = Duration::from_secs(10);

/// Input from the server.
#[derive(Debug)]
pub enum Incoming {
    /// A line without its line ending, and the time it was complete.
    Line(String, Instant),
    /// A line longer than [`LONGEST_LINE`], which was dropped.
    TooLong,
    /// The connection was closed, and why.
    Closed(Lost),
}

/// An open connection.
pub struct Connection {
    socket: TcpStream,
    tls: Option<Arc<Mutex<ClientConnection>>>,
    incoming: Receiver<Incoming>,
    reader: Option<JoinHandle<()>>,
    last_sent: Instant,
    log: Option<Log>,
}

impl Connection {
    /// Opens a connection.
    ///
    /// # Errors
    /// The server cannot be reached, TLS fails, or a file cannot be used.
    pub fn open(config: &Config) -> Result<Self, ConnectError> {
        let unreachable = |error| ConnectError::Unreachable {
            host: config.host.clone(),
            port: config.port,
            error,
        };
        let log = config.log_file.as_deref().map(Log::open).transpose()?;
        let no_host = |error| ConnectError::NoHost { host: config.host.clone(), error };
        let addresses = addresses(&config.host, config.port).map_err(no_host)?;
        let socket = connect_to(&addresses).map_err(unreachable)?;
        socket.set_nodelay(true).map_err(unreachable)?;
        socket.set_write_timeout(Some(WRITE)).map_err(unreachable)?;
        let tls = config.tls.then(|| handshake(&socket, config)).transpose()?;
        let tls = tls.map(|tls| Arc::new(Mutex::new(tls)));
        let from = socket.try_clone().map_err(unreachable)?;
        let (sender, incoming) = bounded(WAITING_LINES);
        let reader_tls = tls.clone();
        let reader = std::thread::Builder::new()
            .name("csa-reader".to_owned())
            .spawn(move || read(from, reader_tls.as_deref(), &sender))
            .map_err(unreachable)?;
        let last_sent = Instant::now();
        Ok(Self { socket, tls, incoming, reader: Some(reader), last_sent, log })
    }

    /// Channel of incoming lines.
    pub fn incoming(&self) -> &Receiver<Incoming> {
        &self.incoming
    }

    /// Writes a remark to the log.
    pub fn log_remark(&mut self, text: &str) {
        if let Some(log) = &mut self.log {
            log.line('#', text);
        }
    }

    /// Writes an incoming line to the log.
    pub fn log_incoming(&mut self, line: &str) {
        if let Some(log) = &mut self.log {
            log.line('<', line);
        }
    }

    /// Sends a line.
    ///
    /// # Errors
    /// The connection is closed, or sending timed out.
    pub fn send(&mut self, command: &Command<'_>) -> io::Result<()> {
        if let Some(log) = &mut self.log {
            log.line('>', &command.shown());
        }
        self.last_sent = Instant::now();
        let line = command.line() + "\n";
        match &self.tls {
            None => self.socket.write_all(line.as_bytes()),
            Some(tls) => {
                let mut tls = lock(tls);
                tls.writer().write_all(line.as_bytes())?;
                flush_tls(&mut tls, &self.socket)
            }
        }
    }

    /// Time of the last line sent.
    pub fn last_sent(&self) -> Instant {
        self.last_sent
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(tls) = &self.tls {
            let mut tls = lock(tls);
            tls.send_close_notify();
            // The server may already have closed the connection.
            let _ = flush_tls(&mut tls, &self.socket);
        }
        // Ends the reading thread, even if it waits for the channel.
        let _ = self.socket.shutdown(Shutdown::Both);
        self.incoming = crossbeam_channel::never();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

/// Connects to the first address of a server that answers.
///
/// # Errors
/// The host has no address, or none answers within 10 seconds.
pub fn connect(host: &str, port: u16) -> io::Result<TcpStream> {
    connect_to(&addresses(host, port)?)
}

/// The addresses of a server's name.
fn addresses(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    if addresses.is_empty() {
        return Err(io_error(io::ErrorKind::NotFound, NoAddress));
    }
    Ok(addresses)
}

fn connect_to(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io_error(io::ErrorKind::NotFound, NoAddress);
    for address in addresses {
        match TcpStream::connect_timeout(address, CONNECT) {
            Ok(socket) => return Ok(socket),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn lock(tls: &Mutex<ClientConnection>) -> MutexGuard<'_, ClientConnection> {
    // Only a panic inside rustls could poison the lock; reading then ends with an error.
    tls.lock().unwrap_or_else(PoisonError::into_inner)
}

fn handshake(socket: &TcpStream, config: &Config) -> Result<ClientConnection, ConnectError> {
    let host = &config.host;
    let failed = |reason| ConnectError::Tls { host: host.clone(), reason };
    let library = |error: &dyn std::error::Error| failed(TlsFault::Library(error.to_string()));
    let roots = roots(config.tls_ca.as_deref())?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| library(&error))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.clone()).map_err(|error| library(&error))?;
    let mut tls = ClientConnection::new(Arc::new(client), name).map_err(|error| library(&error))?;
    let io_failed = |error: io::Error| match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => failed(TlsFault::NoAnswer),
        _ => failed(TlsFault::Io(error)),
    };
    socket.set_read_timeout(Some(HANDSHAKE)).map_err(io_failed)?;
    while tls.is_handshaking() {
        tls.complete_io(&mut &*socket).map_err(io_failed)?;
    }
    socket.set_read_timeout(None).map_err(io_failed)?;
    Ok(tls)
}

/// The certificates to trust: those in a file, or the usual ones.
fn roots(file: Option<&Path>) -> Result<RootCertStore, ConnectError> {
    let Some(path) = file else {
        return Ok(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    };
    let failed = |error| ConnectError::File { path: path.to_owned(), error };
    let invalid = |fault| failed(io_error(io::ErrorKind::InvalidData, fault));
    let library = |error: &dyn std::error::Error| invalid(FileFault::Library(error.to_string()));
    let mut roots = RootCertStore::empty();
    let text = files::read(path).map_err(failed)?;
    for certificate in rustls::pki_types::CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|error| library(&error))?;
        roots.add(certificate).map_err(|error| library(&error))?;
    }
    if roots.is_empty() {
        return Err(invalid(FileFault::NoCertificate));
    }
    Ok(roots)
}

fn flush_tls(tls: &mut ClientConnection, mut socket: &TcpStream) -> io::Result<()> {
    while tls.wants_write() {
        tls.write_tls(&mut socket)?;
    }
    Ok(())
}

/// Reads until the connection is closed or the receiver is dropped.
fn read(mut socket: TcpStream, tls: Option<&Mutex<ClientConnection>>, lines: &Sender<Incoming>) {
    let mut splitter = Splitter::default();
    let mut bytes = [0; 4096];
    let mut plain = Vec::new();
    let reason = loop {
        let count = match socket.read(&mut bytes) {
            Ok(0) => break Lost::Closed,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => break Lost::Reading(error),
        };
        let at = Instant::now();
        let text: &[u8] = match tls {
            None => &bytes[..count],
            Some(tls) => {
                plain.clear();
                if let Err(error) = decrypt(&mut lock(tls), &socket, &bytes[..count], &mut plain) {
                    break Lost::Reading(error);
                }
                &plain
            }
        };
        if splitter.feed(text, at, |incoming| lines.send(incoming).is_ok()).is_err() {
            return;
        }
    };
    // If the receiver was dropped, nothing needs to be reported.
    let _ = lines.send(Incoming::Closed(reason));
}

fn decrypt(
    tls: &mut ClientConnection,
    socket: &TcpStream,
    mut bytes: &[u8],
    plain: &mut Vec<u8>,
) -> io::Result<()> {
    while !bytes.is_empty() {
        tls.read_tls(&mut bytes)?;
        let state = tls.process_new_packets().map_err(io::Error::other)?;
        let from = plain.len();
        plain.resize(from + state.plaintext_bytes_to_read(), 0);
        tls.reader().read_exact(&mut plain[from..])?;
    }
    flush_tls(tls, socket)
}

/// The receiver was dropped.
struct ReceiverDropped;

/// Splits a stream of bytes into lines.
#[derive(Default)]
struct Splitter {
    line: Vec<u8>,
    too_long: bool,
}

impl Splitter {
    fn feed(
        &mut self,
        mut bytes: &[u8],
        at: Instant,
        mut send: impl FnMut(Incoming) -> bool,
    ) -> Result<(), ReceiverDropped> {
        while !bytes.is_empty() {
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            self.too_long |= self.line.len() + part.len() > LONGEST_LINE;
            if self.too_long {
                self.line.clear();
            } else {
                self.line.extend_from_slice(part);
            }
            let Some(end) = end else { break };
            bytes = &bytes[end + 1..];
            let incoming = if std::mem::take(&mut self.too_long) {
                Incoming::TooLong
            } else {
                let text = decoded(&self.line);
                Incoming::Line(text.trim_end_matches('\r').to_owned(), at)
            };
            self.line.clear();
            if !send(incoming) {
                return Err(ReceiverDropped);
            }
        }
        Ok(())
    }
}

/// Text in UTF-8, or in Shift_JIS or EUC-JP, in which some servers send names. Bytes that are none of
/// these are replaced.
fn decoded(line: &[u8]) -> Cow<'_, str> {
    if std::str::from_utf8(line).is_err()
        && let Ok((text, Encoding::ShiftJis | Encoding::EucJp)) = monomi_record::decode(line)
    {
        return Cow::Owned(text);
    }
    String::from_utf8_lossy(line)
}

/// A log of every line with its time.
struct Log(File);

impl Log {
    fn open(path: &Path) -> Result<Self, ConnectError> {
        let failed = |error| ConnectError::File { path: path.to_owned(), error };
        files::append(path).map(Self).map_err(failed)
    }

    #[expect(clippy::disallowed_methods, reason = "times in the log")]
    fn line(&mut self, direction: char, text: &str) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // A full disk must not end a game.
        let _ = writeln!(self.0, "{}.{:03} {direction} {text}", now.as_secs(), now.subsec_millis());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(parts: &[&[u8]]) -> Vec<Option<String>> {
        let mut splitter = Splitter::default();
        let mut lines = Vec::new();
        for part in parts {
            let fed = splitter.feed(part, Instant::now(), |incoming| {
                lines.push(match incoming {
                    Incoming::Line(text, _) => Some(text),
                    _ => None,
                });
                true
            });
            assert!(fed.is_ok());
        }
        lines
    }

    #[test]
    fn lines_arrive_whole_however_the_bytes_come() {
        let bytes = b"LOGIN:x OK\r\n\nSTART:g\n+77";
        let whole = split(&[bytes]);
        let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(whole, split(&bytewise));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(whole, [some("LOGIN:x OK"), some(""), some("START:g")]);
        assert_eq!(split(&[b"\xff\xfe\n"]), [some("\u{fffd}\u{fffd}")]);
    }

    #[test]
    fn names_in_the_encodings_of_old_servers_are_read() {
        for line in ["Name+:羽生善治", "Name-:佐藤康光", "Name+:ﾓﾉﾐ"] {
            let (shift_jis, ..) = encoding_rs::SHIFT_JIS.encode(line);
            let (euc_jp, ..) = encoding_rs::EUC_JP.encode(line);
            assert_ne!(shift_jis, euc_jp);
            let expected = Some(line.to_owned());
            assert_eq!(split(&[line.as_bytes(), b"\n"])[0], expected);
            assert_eq!(split(&[&shift_jis, b"\r\n"])[0], expected, "{line} in Shift_JIS");
            if !line.contains('ﾓ') {
                assert_eq!(split(&[&euc_jp, b"\n"])[0], expected, "{line} in EUC-JP");
            }
        }
    }

    #[test]
    fn long_lines_are_dropped_and_take_no_memory() {
        let mut splitter = Splitter::default();
        let part = vec![b'x'; 1 << 20];
        for _ in 0..8 {
            assert!(splitter.feed(&part, Instant::now(), |_| panic!("no line yet")).is_ok());
            assert!(splitter.line.capacity() <= 2 * LONGEST_LINE);
        }
        let mut lines = Vec::new();
        let fed = splitter.feed(b"\nnext\n", Instant::now(), |incoming| {
            lines.push(matches!(incoming, Incoming::TooLong));
            true
        });
        assert!(fed.is_ok() && lines == [true, false]);
        let longest = [vec![b'y'; LONGEST_LINE], b"\n".to_vec()].concat();
        assert!(split(&[&longest])[0].is_some());
    }
}
