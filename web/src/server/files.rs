//! The files of the app, which are part of the program.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

pub async fn file(request: Request) -> Response {
    let page = "<!DOCTYPE html><title>Monomi</title>";
    match request.uri().path() {
        "/" => ([("content-type", "text/html; charset=utf-8")], page).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
