//! DWARF 5 sections: which place of the source each instruction comes from.
//!
//! Spec: DWARF 5, sections 3.1.1, 3.3 and 6.2; LLVM "User Guide for AMDGPU Backend", "Debug Information".
//! One unit with a subprogram for each kernel, and a line table with a sequence for each. Not here: variables, types, inlined calls, call
//! frames (kernels have no caller, and debuggers know that).

use super::WriteError;
use gimli::write::{
    Address, AttributeValue, DwarfUnit, EndianVec, LineProgram, LineString, Range, RangeList, Sections,
};
use gimli::{Encoding, Format, LineEncoding, LittleEndian, SectionId};

/// Places of a module's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DebugInput {
    /// Source files; the first is the unit's. A path that is not absolute counts from the folder that the reader is in.
    pub files: Vec<String>,
    pub language: Language,
    /// As many as the object has kernels, in its order.
    pub kernels: Vec<KernelLines>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Language {
    /// PTX, for want of a number of its own.
    Assembler,
    CPlusPlus,
    Python,
}

/// The places of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelLines {
    pub declared: Place,
    /// In order of their offsets, the first at 0. A row holds up to the next one.
    pub rows: Vec<LineRow>,
}

/// Line and column from 1; 0 where there is none.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Index into [`DebugInput::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LineRow {
    /// Bytes into the kernel's code.
    pub offset: u32,
    pub place: Place,
    /// What comes before sets the kernel up.
    pub prologue_end: bool,
}

/// A kernel's code in the loaded image.
pub(super) struct Code<'a> {
    pub name: &'a str,
    pub address: u64,
    pub bytes: u64,
}

const ENCODING: Encoding = Encoding { format: Format::Dwarf32, version: 5, address_size: 8 };
/// Instructions are dwords; the rest as LLVM has it.
const LINE_ENCODING: LineEncoding = LineEncoding {
    minimum_instruction_length: 4,
    maximum_operations_per_instruction: 1,
    default_is_stmt: true,
    line_base: -5,
    line_range: 14,
};
/// Outputs do not depend on the machine, so the folder of the compilation is the reader's.
const FOLDER: &str = ".";
const PRODUCER: &str = concat!("warp2wave ", env!("CARGO_PKG_VERSION"));

/// The sections with their names, those that have bytes.
pub(super) fn sections(debug: &DebugInput, kernels: &[Code]) -> Result<Vec<(&'static str, Vec<u8>)>, WriteError> {
    if debug.kernels.len() != kernels.len() {
        return Err(WriteError(format!("places of {} kernels of {}", debug.kernels.len(), kernels.len())));
    }
    // gimli panics on names like these.
    if debug.files.is_empty() || debug.files.iter().any(|name| name.is_empty() || name.contains('\0')) {
        return Err(WriteError(format!("source file names {:?} cannot be written", debug.files)));
    }
    let mut dwarf = DwarfUnit::new(ENCODING);
    let mut strings = std::mem::take(&mut dwarf.line_strings);
    let mut text = |s: &str| LineString::new(s, ENCODING, &mut strings);
    let mut lines = LineProgram::new(ENCODING, LINE_ENCODING, text(FOLDER), None, text(&debug.files[0]), None);
    let folder = lines.default_directory();
    let files: Vec<_> = debug.files.iter().map(|name| lines.add_file(text(name), folder, None)).collect();
    dwarf.line_strings = strings;
    let file = |place: Place| {
        let missing = || WriteError(format!("a place in source file {} of {}", place.file, files.len()));
        files.get(place.file as usize).copied().ok_or_else(missing)
    };
    for (kernel, code) in debug.kernels.iter().zip(kernels) {
        lines.begin_sequence(Some(Address::Constant(code.address)));
        for LineRow { offset, place, prologue_end } in &kernel.rows {
            let file = file(*place)?;
            let row = lines.row();
            row.address_offset = u64::from(*offset);
            row.file = file;
            row.line = place.line.into();
            row.column = place.column.into();
            row.prologue_end = *prologue_end;
            lines.generate_row();
        }
        lines.end_sequence(code.bytes);
    }
    dwarf.unit.line_program = lines;

    let string = |dwarf: &mut DwarfUnit, text: &str| AttributeValue::StringRef(dwarf.strings.add(text));
    let root = dwarf.unit.root();
    let (producer, name, comp_dir) =
        (string(&mut dwarf, PRODUCER), string(&mut dwarf, &debug.files[0]), string(&mut dwarf, FOLDER));
    let ranges = kernels
        .iter()
        .map(|k| Range::StartLength { begin: Address::Constant(k.address), length: k.bytes })
        .collect::<Vec<_>>();
    let ranges = dwarf.unit.ranges.add(RangeList(ranges));
    let language = match debug.language {
        Language::Assembler => gimli::DW_LANG_Mips_Assembler,
        Language::CPlusPlus => gimli::DW_LANG_C_plus_plus_14,
        Language::Python => gimli::DW_LANG_Python,
    };
    let unit = dwarf.unit.get_mut(root);
    unit.set(gimli::DW_AT_producer, producer);
    unit.set(gimli::DW_AT_language, AttributeValue::Language(language));
    unit.set(gimli::DW_AT_name, name);
    unit.set(gimli::DW_AT_stmt_list, AttributeValue::LineProgramRef);
    unit.set(gimli::DW_AT_comp_dir, comp_dir);
    unit.set(gimli::DW_AT_low_pc, AttributeValue::Address(Address::Constant(0)));
    unit.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    for (kernel, code) in debug.kernels.iter().zip(kernels) {
        let name = string(&mut dwarf, code.name);
        let declared = file(kernel.declared)?;
        let entry = dwarf.unit.add(root, gimli::DW_TAG_subprogram);
        let entry = dwarf.unit.get_mut(entry);
        entry.set(gimli::DW_AT_low_pc, AttributeValue::Address(Address::Constant(code.address)));
        entry.set(gimli::DW_AT_high_pc, AttributeValue::Udata(code.bytes));
        entry.set(gimli::DW_AT_name, name);
        entry.set(gimli::DW_AT_decl_file, AttributeValue::FileIndex(Some(declared)));
        entry.set(gimli::DW_AT_decl_line, AttributeValue::Udata(kernel.declared.line.into()));
        entry.set(gimli::DW_AT_external, AttributeValue::Flag(true));
    }

    let failed = |e: gimli::write::Error| WriteError(format!("DWARF: {e}"));
    let mut sections = Sections::new(EndianVec::new(LittleEndian));
    dwarf.write(&mut sections).map_err(failed)?;
    let mut out = vec![];
    let _ = sections.for_each(|id: SectionId, data| {
        if !data.slice().is_empty() {
            out.push((id.name(), data.slice().to_vec()));
        }
        Ok::<(), ()>(())
    });
    Ok(out)
}
