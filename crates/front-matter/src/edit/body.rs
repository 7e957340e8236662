//! Replaces the body of a document. The blank lines around the body and the line ends stay the
//! same.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::splice::line_end;

/// Returns the document with a new body. `start` is the byte at which the old body begins. `fenced`
/// is set if front matter comes before the body.
pub(super) fn replace_body(text: &str, start: usize, fenced: bool, body: &str) -> String {
    let (head, old) = text.split_at(start);
    let new = trim_blank_lines(body).replace("\r\n", "\n");
    let core = trim_blank_lines(old);
    if core.replace("\r\n", "\n") == new {
        return text.to_owned();
    }
    let end = line_end(text);
    let before = blank_lines(old);
    let (before, after) =
        if core.is_empty() { (old, end) } else { (&old[..before], &old[before + core.len()..]) };
    let mut edited = head.to_owned();
    if fenced && core.is_empty() && !new.is_empty() {
        edited.push_str(if head.ends_with('\n') { "" } else { end });
        edited.push_str(if old.is_empty() { end } else { "" });
    }
    edited.push_str(before);
    if !new.is_empty() {
        edited.push_str(&restore_line_ends(core, &new, end));
        edited.push_str(after);
    }
    edited
}

/// Returns the length in bytes of the blank lines at the start of `text`.
fn blank_lines(text: &str) -> usize {
    let blank = text.len() - text.trim_start().len();
    text[..blank].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns a body without the blank lines around it.
pub(super) fn trim_blank_lines(body: &str) -> &str {
    body[blank_lines(body)..].trim_end_matches(['\r', '\n'])
}

/// Returns the new body with the line ends of the file. An unchanged line keeps its line end.
fn restore_line_ends(old: &str, new: &str, end: &str) -> String {
    let ends = |text: &str| (text.matches("\r\n").count(), text.matches('\n').count());
    let (windows, all) = ends(old);
    if windows == 0 || windows == all {
        return new.replace('\n', end);
    }
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split('\n').collect();
    let bare: Vec<&str> = old.iter().map(|line| line.trim_end_matches(['\r', '\n'])).collect();
    let mut text = String::new();
    for op in capture_diff_slices(Algorithm::Myers, &bare, &new) {
        let kept = match op {
            DiffOp::Equal { old_index, .. } => Some(old_index),
            _ => None,
        };
        for (offset, index) in op.new_range().enumerate() {
            let own = kept.map_or("", |first| &old[first + offset][bare[first + offset].len()..]);
            text.push_str(new[index]);
            if index + 1 < new.len() {
                text.push_str(if own.is_empty() { end } else { own });
            }
        }
    }
    text
}
