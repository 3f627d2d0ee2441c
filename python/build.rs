//! On macOS the symbols of Python are looked up when the interpreter loads the module.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
