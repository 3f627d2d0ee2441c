//! Servers that follow a script.

use monomi_movegen::Position;
use monomi_record::notation::csa_move;
use monomi_record::parse_csa_move;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time limit for a client's line. Debug builds on a busy machine are slow.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server on its own thread.
pub struct Server {
    pub port: u16,
    thread: JoinHandle<()>,
}

impl Server {
    /// Runs the script, which accepts connections itself.
    pub fn start(script: impl FnOnce(&TcpListener) + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let thread = std::thread::spawn(move || script(&listener));
        Self { port, thread }
    }

    /// Waits for the end of the script. A panic of the script fails the test.
    pub fn finish(self) {
        if let Err(panic) = self.thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

/// The server's end of a connection.
pub struct Peer {
    reader: BufReader<TcpStream>,
    pub stream: TcpStream,
}

impl Peer {
    /// Waits for a client.
    pub fn accept(listener: &TcpListener) -> Self {
        let (stream, _) = listener.accept().expect("a client");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time-out");
        stream.set_nodelay(true).expect("no delay");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        Self { reader, stream }
    }

    /// The client's next line that is not empty; `None` at the end of the connection.
    pub fn next_line(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) if line == "\n" => {}
                Ok(_) => return Some(line.trim_end().to_owned()),
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("waiting for the client: {error}"),
            }
        }
    }

    /// The next line; the connection must not end.
    pub fn line(&mut self) -> String {
        self.next_line().expect("the client is still there")
    }

    /// Expects this line.
    pub fn expect(&mut self, line: &str) {
        assert_eq!(self.line(), line);
    }

    /// One byte, whatever it is.
    pub fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.reader.read_exact(&mut byte).expect("a byte");
        byte[0]
    }

    /// Sends lines.
    pub fn send(&mut self, text: &str) {
        // If the client has disconnected, the next expected line fails.
        let _ = self.stream.write_all(format!("{text}\n").as_bytes());
    }

    /// Accepts the client's login. Returns its line.
    pub fn login(&mut self) -> String {
        let line = self.line();
        assert!(line.starts_with("LOGIN "), "{line}");
        self.send("LOGIN:me OK");
        line
    }

    /// Accepts the client's logout.
    pub fn logout(&mut self) {
        self.expect("LOGOUT");
        self.send("LOGOUT:completed");
    }

    /// Offers a game and starts it.
    pub fn begin(&mut self, offer: &Offer) {
        self.send(&offer.text());
        self.expect(&format!("AGREE {}", offer.id));
        self.send(&format!("START:{}", offer.id));
    }

    /// Confirms the client's move with this time. Returns the move without its comment.
    pub fn take_move(&mut self, position: &mut Position, time: &str) -> String {
        let line = self.line();
        let text = line.split(',').next().unwrap_or_default().to_owned();
        assert!(text.len() == 7, "a move was expected: {line}");
        let mv = parse_csa_move(position, &text).expect("a move");
        assert!(position.is_legal(mv), "{text} in {}", position.to_sfen());
        position.do_move(mv);
        self.send(&format!("{text},{time}"));
        text
    }

    /// Sends a legal move of the opponent with this time.
    pub fn make_move(&mut self, position: &mut Position, time: &str) -> String {
        let text = some_move(position);
        self.send(&format!("{text},{time}"));
        text
    }

    /// Closes the connection.
    pub fn cut(self) {
        // The client may have closed it already.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Plays a legal move and returns its text.
pub fn some_move(position: &mut Position) -> String {
    let moves = position.legal_moves();
    let mv = moves[position.moves_made() % moves.len()];
    let text = csa_move(position, mv);
    position.do_move(mv);
    text
}

/// A game summary.
#[derive(Clone)]
pub struct Offer {
    pub id: String,
    pub turn: char,
    pub times: String,
    pub position: String,
    pub more: String,
}

impl Offer {
    /// An even game with 60 seconds and 10 seconds of byoyomi; the client plays this color.
    pub fn new(id: &str, turn: char) -> Self {
        Self {
            id: id.to_owned(),
            turn,
            times: "BEGIN Time\nTime_Unit:1sec\nTotal_Time:60\nByoyomi:10\n\
                    Least_Time_Per_Move:0\nEND Time"
                .to_owned(),
            position: "PI\n+".to_owned(),
            more: "Declaration:Jishogi 1.1\nMax_Moves:256".to_owned(),
        }
    }

    /// With a token to resume it.
    pub fn with_token(mut self, token: &str) -> Self {
        self.more.push_str(&format!("\nReconnect_Token:{token}"));
        self
    }

    pub fn text(&self) -> String {
        let Self { id, turn, times, position, more } = self;
        let [black, white] = if *turn == '+' { ["me", "you"] } else { ["you", "me"] };
        format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
             Game_ID:{id}\nName+:{black}\nName-:{white}\nYour_Turn:{turn}\nRematch_On_Draw:NO\n\
             To_Move:+\n{more}\n{times}\nBEGIN Position\n{position}\nEND Position\n\
             END Game_Summary"
        )
    }
}
