//! Standard output, written by a thread of its own: a GUI that stops reading must not block the
//! session, which has to handle `stop`, `ponderhit` and `quit`.

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use std::io::{ErrorKind, Result, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Bytes waiting to be written from which `info` lines are dropped.
const FULL: usize = 1 << 20;
/// Bytes waiting to be written from which the session ends.
const HOPELESS: usize = 64 << 20;
/// How often to check for progress at the end.
const TICK: Duration = Duration::from_millis(20);

/// Lines waiting to be written.
pub struct OutputQueue {
    lines: Option<Sender<Vec<u8>>>,
    /// Bytes not yet written.
    waiting: Arc<AtomicUsize>,
    /// Closed when the thread has ended.
    ended: Receiver<()>,
}

impl OutputQueue {
    /// Starts the thread, which writes to the stream that `open` returns.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start<W: Write>(open: impl FnOnce() -> W + Send + 'static) -> Result<Self> {
        let (sender, lines) = unbounded();
        let (alive, ended) = unbounded();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&waiting);
        std::thread::Builder::new().name("output".to_owned()).spawn(move || {
            let _alive: Sender<()> = alive;
            // An error means that the output is closed; the session sees that the thread has ended.
            let _ = write_lines(open(), &lines, &left);
        })?;
        Ok(Self { lines: Some(sender), waiting, ended })
    }

    /// Closed when the output can no longer be written.
    pub fn ended(&self) -> Receiver<()> {
        self.ended.clone()
    }

    /// Waits until everything has been written or the stream is closed, as long as something is read
    /// from time to time. Returns the number of bytes that have not been read.
    pub fn finish(mut self, patience: Duration) -> usize {
        self.lines = None;
        let mut before = self.waiting.load(Relaxed);
        let mut since = Instant::now();
        while self.ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            let now = self.waiting.load(Relaxed);
            if now != before {
                (before, since) = (now, Instant::now());
            } else if since.elapsed() > patience {
                return now;
            }
        }
        0
    }
}

fn write_lines(
    mut out: impl Write,
    lines: &Receiver<Vec<u8>>,
    waiting: &AtomicUsize,
) -> Result<()> {
    while let Ok(mut text) = lines.recv() {
        while let Ok(more) = lines.try_recv() {
            text.extend(more);
        }
        out.write_all(&text)?;
        out.flush()?;
        waiting.fetch_sub(text.len(), Relaxed);
    }
    Ok(())
}

/// Expects one line in each call of `write`.
impl Write for OutputQueue {
    fn write(&mut self, line: &[u8]) -> Result<usize> {
        let waiting = self.waiting.load(Relaxed);
        let is_info = line.starts_with(b"info ") && !line.starts_with(b"info string ");
        if waiting > FULL && is_info {
            return Ok(line.len());
        }
        if waiting > HOPELESS {
            return Err(ErrorKind::WriteZero.into());
        }
        let Some(lines) = &self.lines else { return Err(ErrorKind::BrokenPipe.into()) };
        self.waiting.fetch_add(line.len(), Relaxed);
        match lines.send(line.to_vec()) {
            Ok(()) => Ok(line.len()),
            Err(_) => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, MutexGuard};

    /// A stream on which writing waits while a test holds the lock.
    #[derive(Clone, Default)]
    struct Reader(Arc<Mutex<Vec<u8>>>);

    impl Reader {
        fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
            self.0.lock().unwrap()
        }
    }

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> Result<usize> {
            self.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    fn queue(reader: &Reader) -> OutputQueue {
        let reader = reader.clone();
        OutputQueue::start(move || reader).unwrap()
    }

    #[test]
    fn everything_is_written_in_order() {
        let reader = Reader::default();
        let mut queue = queue(&reader);
        (0..1_000).for_each(|n| writeln!(queue, "{n}").unwrap());
        assert_eq!(queue.finish(Duration::from_secs(20)), 0);
        let text: String = (0..1_000).map(|n| format!("{n}\n")).collect();
        assert_eq!(*reader.lock(), text.as_bytes());
    }

    #[test]
    fn a_reader_that_does_not_read_loses_info_lines_only() {
        let reader = Reader::default();
        let mut queue = queue(&reader);
        let stuck = reader.lock();
        let info = format!("info depth 1 pv {}\n", "7g7f ".repeat(20));
        for _ in 0..100_000 {
            queue.write_all(info.as_bytes()).unwrap();
        }
        queue.write_all(b"bestmove 7g7f\n").unwrap();
        assert!(queue.waiting.load(Relaxed) < FULL + 1_000);
        drop(stuck);
        assert_eq!(queue.finish(Duration::from_secs(20)), 0);
        let text = reader.lock();
        assert!(text.ends_with(b"bestmove 7g7f\n") && text.len() < 100_000 * info.len());
    }

    #[test]
    fn waiting_for_a_reader_at_the_end_has_a_limit() {
        let reader = Reader::default();
        let mut queue = queue(&reader);
        let stuck = reader.lock();
        queue.write_all(b"readyok\n").unwrap();
        assert_eq!(queue.finish(Duration::from_millis(100)), 8);
        drop(stuck);
    }

    #[test]
    fn answers_for_which_there_is_no_room_are_an_error() {
        let reader = Reader::default();
        let mut queue = queue(&reader);
        let _stuck = reader.lock();
        let line = vec![b'x'; 1 << 20];
        let written = (0..200).take_while(|_| queue.write_all(&line).is_ok()).count();
        assert!((60..70).contains(&written), "{written}");
    }

    #[test]
    fn a_closed_stream_is_noticed() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> Result<usize> {
                Err(ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
        let mut queue = OutputQueue::start(|| Closed).unwrap();
        queue.write_all(b"readyok\n").unwrap();
        assert!(queue.ended().recv_timeout(Duration::from_secs(20)).unwrap_err().is_disconnected());
        assert!(queue.write_all(b"bestmove resign\n").is_err());
    }
}
