//! The options with which a session starts, for programs that examine them.

use crate::book_file;
use crate::notice::UsiError;
use crate::options::{
    FileNote, OptionError, OptionFileError, Options, Overrides, Platform, Precedence,
};
use crate::session::read_options;
use monomi_book::Book;
use std::path::Path;

/// The options of a session of a program in some folder.
pub struct Setup {
    options: Options,
    overrides: Overrides,
}

impl Setup {
    /// The defaults, and what the files of options in this folder and beside the network set.
    pub fn in_folder(folder: &Path) -> Self {
        let mut options = Options::of(Platform::Native);
        let overrides = Overrides::begin(folder, read_options, Precedence::File, &mut options);
        let mut setup = Self { options, overrides };
        setup.overrides.follow_eval(&mut setup.options);
        setup
    }

    /// Sets an option as a GUI does. Returns a message if a file has fixed it.
    ///
    /// # Errors
    /// There is no such option, or the value is bad.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Option<FileNote>, OptionError> {
        let note = self.overrides.set(&mut self.options, Platform::Native, name, Some(value))?;
        self.overrides.follow_eval(&mut self.options);
        Ok(note)
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What the files of options said, once.
    pub fn take_notes(&mut self) -> Vec<Result<FileNote, OptionFileError>> {
        self.overrides.take_notes()
    }

    /// Opens the books that the options name.
    ///
    /// # Errors
    /// One does not exist or cannot be read.
    pub fn books(&self) -> Result<Vec<Book>, UsiError> {
        let Some(source) = self.options.book_source() else { return Ok(Vec::new()) };
        let loaded = book_file::load(&source);
        match loaded.errors.into_iter().next() {
            Some(error) => Err(UsiError::Book(error)),
            None => Ok(loaded.books),
        }
    }
}
