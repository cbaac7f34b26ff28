//! Progress of long work, on terminals.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Files from which a progress bar is shown.
const MANY_FILES: usize = 8;

/// A bar on standard error, hidden where that is no terminal or there is little to do.
pub fn bar(files: usize) -> ProgressBar {
    if files < MANY_FILES {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
