//! Shrinks a failing program: pieces of its text are left out as long as it still fails.
//!
//! Delta debugging (Zeller and Hildebrandt, 2002) over lines. What still counts as the failure is the caller's question.

/// The lines of a program without those left out.
pub fn lines(all: &[&str], kept: &[bool]) -> String {
    let mut text = String::new();
    for (line, _) in all.iter().zip(kept).filter(|(_, kept)| **kept) {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The smallest text found of which `fails` is still true; at most `tries` texts are asked about.
pub fn reduce(source: &str, tries: usize, mut fails: impl FnMut(&str) -> bool) -> String {
    let all: Vec<&str> = source.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut kept = vec![true; all.len()];
    let mut left = tries;
    let mut piece = all.len().div_ceil(2).max(1);
    loop {
        let mut shrunk = false;
        let mut at = 0;
        while at < all.len() {
            // A piece counts lines that are still there.
            let mut chosen = vec![];
            let mut next = at;
            while next < all.len() && chosen.len() < piece {
                if kept[next] {
                    chosen.push(next);
                }
                next += 1;
            }
            if chosen.is_empty() {
                break;
            }
            if left == 0 {
                return lines(&all, &kept);
            }
            left -= 1;
            chosen.iter().for_each(|&n| kept[n] = false);
            if fails(&lines(&all, &kept)) {
                shrunk = true;
            } else {
                chosen.iter().for_each(|&n| kept[n] = true);
            }
            at = next;
        }
        if piece > 1 {
            piece = piece.div_ceil(2);
            if piece == 2 && !shrunk {
                piece = 1;
            }
        } else if !shrunk {
            return lines(&all, &kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left() {
        let source: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let fails = |text: &str| text.contains("line 17\n") && text.contains("line 90\n");
        assert_eq!(reduce(&source, 10_000, fails), "line 17\nline 90\n");
        assert_eq!(reduce(&source, 0, fails), source);
    }
}
