//! Connections with TLS.

use crate::client::{PASSWORD, start};
use crate::server::{Offer, Server};
use monomi_csa::ClientError;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::Arc;
use tests::folder::Folder;

/// A certificate for 127.0.0.1 (PEM) and the configuration of a server that uses it.
fn certificate() -> (String, Arc<ServerConfig>) {
    let key = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).unwrap();
    let secret = PrivateKeyDer::try_from(key.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![key.cert.der().clone()], secret)
        .unwrap();
    (key.cert.pem(), Arc::new(config))
}

fn server(config: Arc<ServerConfig>) -> Server {
    Server::start(move |listener| {
        let (socket, _) = listener.accept().unwrap();
        let tls = ServerConnection::new(config).unwrap();
        let mut stream = BufReader::new(StreamOwned::new(tls, socket));
        let next = |stream: &mut BufReader<_>| {
            let mut line = String::new();
            stream.read_line(&mut line).map(|_| line).unwrap_or_default()
        };
        let login = next(&mut stream);
        if login.is_empty() {
            return;
        }
        assert_eq!(login, format!("LOGIN me {PASSWORD}\n"));
        let text = format!("LOGIN:me OK\n{}\nSTART:g\n", Offer::new("g", '+').text());
        stream.get_mut().write_all(text.as_bytes()).unwrap();
        assert_eq!(next(&mut stream), "AGREE g\n");
        let mv = next(&mut stream);
        let end = format!("{},T1\n#TIME_UP\n#WIN\n", &mv[..7]);
        stream.get_mut().write_all(end.as_bytes()).unwrap();
        assert_eq!(next(&mut stream), "LOGOUT\n");
        stream.get_mut().write_all(b"LOGOUT:completed\n").unwrap();
    })
}

#[test]
fn a_game_over_tls() {
    let (pem, config) = certificate();
    let folder = Folder::new();
    let ca = folder.write("ca.pem", pem).replace('\\', "/");
    let server = server(config);
    let outcome = start(server.port, &format!("games = 1\ntls = true\ntls-ca = '{ca}'")).finish();
    server.finish();
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    assert_eq!((outcome.tally.all.wins, outcome.games[0].plies), (1, 1));
}

#[test]
fn an_untrusted_certificate_ends_the_client_before_the_login() {
    let (_, config) = certificate();
    let server = server(config);
    let outcome = start(server.port, "tls = true").finish();
    server.finish();
    let error = outcome.result.unwrap_err();
    assert!(matches!(error, ClientError::Connect(_)), "{error:?}");
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[test]
fn a_server_without_tls_is_reported() {
    let server = Server::start(|listener| {
        let (mut socket, _) = listener.accept().unwrap();
        let _ = socket.write_all(b"welcome to a plain server\n");
        let mut line = Vec::new();
        let _ = BufReader::new(socket).read_until(b'\n', &mut line);
        assert!(!line.starts_with(b"LOGIN"));
    });
    let outcome = start(server.port, "tls = true").finish();
    server.finish();
    assert!(outcome.result.unwrap_err().to_string().starts_with("TLS with 127.0.0.1"));
}

#[test]
fn a_file_without_certificates_is_named() {
    let folder = Folder::new();
    let ca = folder.write("ca.pem", "nothing").replace('\\', "/");
    let server = Server::start(|listener| drop(listener.accept()));
    let outcome = start(server.port, &format!("tls = true\ntls-ca = '{ca}'")).finish();
    server.finish();
    let error = outcome.result.unwrap_err().to_string();
    assert!(error.contains("ca.pem") && error.contains("certificate"), "{error}");
}
