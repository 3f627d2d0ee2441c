//! Gives the Windows program its icon and version resource.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets/monomi.ico");
    if std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default() != "windows" {
        return;
    }
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_icon("assets/monomi.ico")
        .set("ProductName", "Monomi")
        .set("FileDescription", "Monomi shogi engine (USI)")
        .set("LegalCopyright", "MIT OR Apache-2.0");
    // The program works without them, so a missing resource compiler is no reason to stop.
    if let Err(error) = resource.compile() {
        println!("cargo::warning=no icon and version resource: {error}");
    }
}
