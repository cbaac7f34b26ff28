//! What each code means: `docs/rules/`, in the program.
//!
//! A page has the code and its title, what the rule says, where the manual says it, a program that breaks it, and the same
//! program repaired. The tests run both programs.

use super::{Code, codes};

/// The page of a code.
pub struct Rule {
    pub code: Code,
    /// The page, as Markdown.
    pub text: &'static str,
}

macro_rules! rules {
    ($($name:ident $file:literal;)*) => {
        /// One page for each code, in order.
        pub const ALL: &[Rule] = &[$(Rule { code: codes::$name, text: include_str!(concat!("../../docs/rules/", $file)) }),*];
    };
}

rules! {
    SYNTAX "W2W0001.md";
    UNKNOWN_FORM "W2W0002.md";
    UNDECLARED "W2W0003.md";
    DUPLICATE "W2W0004.md";
    OPERAND "W2W0005.md";
    CONTROL "W2W0006.md";
    DIRECTIVE "W2W0007.md";
    LIMIT "W2W0008.md";
    NO_SUCH_KERNEL "W2W0009.md";
    UNSUPPORTED_INST "W2W0020.md";
    UNSUPPORTED_DECL "W2W0021.md";
    UNSUPPORTED_CALL "W2W0022.md";
    UNSUPPORTED_TARGET "W2W0023.md";
    RESOURCES "W2W0024.md";
    UNDEFINED "W2W0030.md";
    MISMATCH "W2W0031.md";
    VERSION "W2W0040.md";
    NEEDS "W2W0041.md";
}

impl Rule {
    /// The rule of a code as users write it: `W2W0007`, also without leading zeros and in small letters.
    pub fn find(text: &str) -> Option<&'static Rule> {
        let digits = text.get(..3).filter(|head| head.eq_ignore_ascii_case("W2W")).and_then(|_| text.get(3..))?;
        let number: u16 = digits.parse().ok()?;
        ALL.iter().find(|rule| rule.code == Code(number))
    }

    pub fn title(&self) -> &'static str {
        codes::ALL.iter().find(|(code, _)| *code == self.code).map_or("", |(_, title)| title)
    }

    /// A name in one word, for machines.
    pub fn name(&self) -> String {
        let words = self.title().trim_end_matches('.').split(|c: char| !c.is_ascii_alphanumeric());
        let capital = |word: &str| word.get(..1).map(|first| first.to_ascii_uppercase() + &word[1..]);
        words.filter_map(capital).collect()
    }

    /// What the rule says: the first paragraph under the title.
    pub fn says(&self) -> &'static str {
        self.text.split("\n\n").nth(1).unwrap_or("").trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_under_its_title() {
        let named: Vec<Code> = ALL.iter().map(|rule| rule.code).collect();
        let codes: Vec<Code> = codes::ALL.iter().map(|(code, _)| *code).collect();
        assert_eq!(named, codes);
        for rule in ALL {
            let head = format!("# {}: {}\n", rule.code, rule.title());
            assert!(rule.text.starts_with(&head), "{} does not begin with {head}", rule.code);
            assert!(rule.says().len() > 40, "{} says nothing", rule.code);
            assert!(rule.text.contains("\nManual: "), "{} has no place in the manual", rule.code);
        }
    }

    #[test]
    fn rules_are_found_by_what_users_write() {
        for text in ["W2W0007", "w2w0007", "W2W7"] {
            assert_eq!(Rule::find(text).map(|rule| rule.code), Some(codes::DIRECTIVE), "{text}");
        }
        for text in ["W2W0010", "W2W", "0007", "", "W2W00x7"] {
            assert!(Rule::find(text).is_none(), "{text}");
        }
        assert_eq!(Rule::find("W2W0003").map(Rule::name), Some("ANameIsUsedThatNothingDeclares".into()));
    }
}
