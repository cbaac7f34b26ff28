//! What names stand for, by scope.
//!
//! PTX ISA, "Identifiers", "Parameterized Variable Names": `.reg .b32 %r<10>` declares `%r0` to `%r9`.

use super::super::code::Slot;
use crate::ptx::names::Name;
use crate::ptx::tree::ScalarType;
use std::collections::HashMap;

#[derive(Copy, Clone, Debug)]
pub enum Binding {
    /// `count` registers of `elements` slots each; a single one has count 0.
    Register {
        first: Slot,
        ty: ScalarType,
        elements: u8,
        count: u32,
    },
    /// Bytes of the frame's local memory. `param`: an argument or result of a call.
    Local {
        offset: u32,
        bytes: u32,
        param: bool,
    },
    Shared {
        offset: u32,
    },
    DynamicShared,
    KernelParam {
        offset: u32,
    },
    Label(u32),
    /// A list of branch targets, by the place of its statement.
    Stmt(u32),
}

pub struct Scopes {
    scopes: Vec<HashMap<Name, Binding>>,
    /// Labels of `.branchtargets` statements, by place.
    pub lists: HashMap<u32, Vec<Name>>,
}

impl Scopes {
    pub fn new() -> Scopes {
        Scopes { scopes: vec![HashMap::new()], lists: HashMap::new() }
    }

    pub fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    pub fn bind(&mut self, name: Name, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, binding);
        }
    }

    pub fn find(&self, name: Name) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(&name)).copied()
    }
}
