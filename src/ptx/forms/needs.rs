//! What a form or a word needs: a version of the PTX ISA, and a target.
//!
//! PTX ISA 9.0, ".target", "Release Notes". A plain target has everything of the plain ones below it; `sm_90a` names what
//! that processor alone has, `sm_100f` what its family has from there on.

use smallvec::SmallVec;
use std::fmt;
use std::sync::LazyLock;

/// `.version major.minor`.
pub type Version = (u16, u16);

/// A processor as `.target` names it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Arch {
    pub number: u16,
    pub suffix: Suffix,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Suffix {
    /// `sm_90`.
    Plain,
    /// `sm_90a`: this processor only.
    Specific,
    /// `sm_100f`: this and later ones of its family.
    Family,
}

impl Arch {
    /// Reads `sm_90a`; also `compute_90a`.
    pub fn parse(text: &str) -> Option<Arch> {
        let text = text.strip_prefix("sm_").or_else(|| text.strip_prefix("compute_"))?;
        let (digits, suffix) = match text.as_bytes().last()? {
            b'a' => (&text[..text.len() - 1], Suffix::Specific),
            b'f' => (&text[..text.len() - 1], Suffix::Family),
            _ => (text, Suffix::Plain),
        };
        let number = digits.parse().ok()?;
        // PTX 9.0 gave this processor its new name.
        Some(Arch { number: if number == 101 { 110 } else { number }, suffix })
    }

    /// Whether code for this target may use what `needed` names.
    pub fn has(self, needed: Arch) -> bool {
        match needed.suffix {
            Suffix::Plain => self.number >= needed.number,
            Suffix::Specific => self == needed,
            Suffix::Family => {
                let same_family = self.number / 10 == needed.number / 10;
                self.suffix != Suffix::Plain && same_family && self.number >= needed.number
            }
        }
    }
}

/// The version of the PTX ISA that introduced each target; `f` came with 8.8.
const INTRODUCED: &[(u16, Version)] = &[
    (20, (2, 0)),
    (30, (3, 0)),
    (32, (4, 0)),
    (35, (3, 1)),
    (37, (4, 1)),
    (50, (4, 0)),
    (52, (4, 1)),
    (53, (4, 2)),
    (60, (5, 0)),
    (61, (5, 0)),
    (62, (5, 0)),
    (70, (6, 0)),
    (72, (6, 1)),
    (75, (6, 3)),
    (80, (7, 0)),
    (86, (7, 1)),
    (87, (7, 4)),
    (88, (9, 0)),
    (89, (7, 8)),
    (90, (7, 8)),
    (100, (8, 6)),
    (103, (8, 8)),
    (110, (9, 0)),
    (120, (8, 7)),
    (121, (8, 8)),
];

impl Arch {
    /// The version that knows this target first.
    pub fn introduced(self) -> Option<Version> {
        let (_, version) = *INTRODUCED.iter().find(|(number, _)| *number == self.number)?;
        Some(match self.suffix {
            Suffix::Family => version.max((8, 8)),
            Suffix::Specific if self.number == 90 => (8, 0),
            Suffix::Specific | Suffix::Plain => version,
        })
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::Plain => "",
            Suffix::Specific => "a",
            Suffix::Family => "f",
        };
        write!(f, "sm_{}{suffix}", self.number)
    }
}

/// `8.6 sm_100f sm_110f until 9.0 sm_120`: the version, one of the targets, and where it ended. `32-bit` is for modules
/// with such addresses, `before 1.4` was written so in earlier versions only, `unlisted` is what ptxas alone knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    pub version: Option<Version>,
    /// One of these is needed; none for any target.
    pub targets: SmallVec<[Arch; 2]>,
    /// Addresses have 32 bits.
    pub short_addresses: bool,
    /// From this version on, targets from this one on do not have it.
    pub until: Option<(Version, Arch)>,
    /// From this version on, this is no way to write it for targets from this one on.
    pub before: Option<(Version, Arch)>,
    /// ptxas takes it, and the PTX ISA has no such form.
    pub unlisted: bool,
}

impl Needs {
    /// Reads the words of a line; none are no needs.
    pub fn parse(text: &str) -> Result<Needs, String> {
        let mut needs = Needs::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if word == "until" {
                let version = words.next().and_then(version).ok_or("`until` has a version and a target")?;
                let arch = words.next().and_then(Arch::parse).ok_or("`until` has a version and a target")?;
                needs.until = Some((version, arch));
            } else if word == "before" {
                let version = words.next().and_then(version).ok_or("`before` has a version")?;
                let arch = words.peek().copied().and_then(Arch::parse);
                if arch.is_some() {
                    words.next();
                }
                needs.before = Some((version, arch.unwrap_or(Arch { number: 10, suffix: Suffix::Plain })));
            } else if word == "32-bit" {
                needs.short_addresses = true;
            } else if word == "unlisted" {
                needs.unlisted = true;
            } else if let Some(arch) = Arch::parse(word) {
                needs.targets.push(arch);
            } else {
                needs.version = Some(version(word).ok_or_else(|| format!("`{word}` is no version and no target"))?);
            }
        }
        Ok(needs)
    }

    /// Whether a module of this version for this target may not write it so.
    pub fn is_past(&self, version: Version, target: Arch) -> bool {
        self.before.is_some_and(|(ended, since)| version >= ended && target.has(since))
    }

    pub fn is_empty(&self) -> bool {
        *self == Needs::default()
    }

    /// Whether a module of this version has it.
    pub fn version_is_enough(&self, version: Version) -> bool {
        self.version.is_none_or(|needed| version >= needed)
    }

    /// Whether a module of this version for this target has it, as far as the target counts.
    pub fn target_is_enough(&self, version: Version, target: Arch) -> bool {
        let has = self.targets.is_empty() || self.targets.iter().any(|&needed| target.has(needed));
        let ended = self.until.is_some_and(|(since, end)| version >= since && target.has(end));
        has && !ended
    }
}

/// An address without a state space is a generic one.
pub static GENERIC: LazyLock<Needs> = LazyLock::new(|| Needs {
    version: Some((2, 0)),
    targets: SmallVec::from_elem(Arch { number: 20, suffix: Suffix::Plain }, 1),
    short_addresses: false,
    until: None,
    before: None,
    unlisted: false,
});

/// A texture, a sampler or a surface by the handle in a register.
pub static HANDLE: LazyLock<Needs> = LazyLock::new(|| Needs {
    version: Some((3, 1)),
    targets: SmallVec::from_elem(Arch { number: 20, suffix: Suffix::Plain }, 1),
    ..Needs::default()
});

/// A word is missing that the PTX ISA wants and ptxas does not.
pub static UNLISTED: LazyLock<Needs> = LazyLock::new(|| Needs { unlisted: true, ..Needs::default() });

/// Reads `8.6`.
fn version(text: &str) -> Option<Version> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enough(needs: &str, version: Version, target: &str) -> (bool, bool) {
        let needs = Needs::parse(needs).expect("needs");
        let target = Arch::parse(target).expect("a target");
        (needs.version_is_enough(version), needs.target_is_enough(version, target))
    }

    #[test]
    fn targets_have_what_lies_below_them() {
        assert_eq!(enough("7.8 sm_90", (7, 7), "sm_90a"), (false, true));
        assert_eq!(enough("7.8 sm_90", (8, 0), "sm_89"), (true, false));
        assert_eq!(enough("8.0 sm_90a", (8, 0), "sm_90"), (true, false));
        assert_eq!(enough("8.0 sm_90a", (8, 0), "sm_100a"), (true, false));
        assert_eq!(enough("8.6 sm_100f", (8, 8), "sm_103a"), (true, true));
        assert_eq!(enough("8.6 sm_100f", (8, 8), "sm_110f"), (true, false));
        assert_eq!(enough("8.6 sm_103f", (8, 8), "sm_100f"), (true, false));
        assert_eq!(enough("8.6 sm_100a sm_101a", (9, 0), "sm_110a"), (true, true));
    }

    #[test]
    fn targets_came_with_versions() {
        let introduced = |text| Arch::parse(text).and_then(Arch::introduced);
        assert_eq!(introduced("sm_90"), Some((7, 8)));
        assert_eq!(introduced("sm_90a"), Some((8, 0)));
        assert_eq!(introduced("sm_100f"), Some((8, 8)));
        assert_eq!(introduced("sm_110f"), Some((9, 0)));
        assert_eq!(introduced("sm_99"), None);
    }

    #[test]
    fn some_forms_ended() {
        assert_eq!(enough("3.0 until 6.4 sm_70", (6, 3), "sm_70"), (true, true));
        assert_eq!(enough("3.0 until 6.4 sm_70", (6, 4), "sm_70"), (true, false));
        assert_eq!(enough("3.0 until 6.4 sm_70", (8, 0), "sm_60"), (true, true));
    }
}
