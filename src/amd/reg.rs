//! Physical registers.

use std::fmt;

/// A register file, or a special register that operands can name.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum File {
    Vgpr,
    /// Accumulation VGPRs of gfx908 and later CDNA.
    Agpr,
    Sgpr,
    Ttmp,
    /// Index 0 is `vcc_lo`, 1 is `vcc_hi`.
    Vcc,
    /// Index 0 is `exec_lo`, 1 is `exec_hi`.
    Exec,
    FlatScratch,
    XnackMask,
    M0,
    /// Reads as zero, ignores writes (gfx10 and later).
    Null,
    /// The scalar condition code; never an encoded operand of ours, but a def or use of rows.
    Scc,
    /// 64-bit aperture registers; the high dword holds the useful half.
    SharedBase,
    SharedLimit,
    PrivateBase,
    PrivateLimit,
    /// gfx1250: base of the private aperture.
    FlatScratchBase,
}

/// `dwords` consecutive registers of a file, from `index`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg {
    pub file: File,
    pub index: u16,
    pub dwords: u8,
}

impl Reg {
    pub const fn new(file: File, index: u16, dwords: u8) -> Reg {
        Reg { file, index, dwords }
    }
    pub const fn v(index: u16) -> Reg {
        Reg::new(File::Vgpr, index, 1)
    }
    pub const fn vn(index: u16, dwords: u8) -> Reg {
        Reg::new(File::Vgpr, index, dwords)
    }
    pub const fn s(index: u16) -> Reg {
        Reg::new(File::Sgpr, index, 1)
    }
    pub const fn sn(index: u16, dwords: u8) -> Reg {
        Reg::new(File::Sgpr, index, dwords)
    }
    pub const SCC: Reg = Reg::new(File::Scc, 0, 1);
    pub const M0: Reg = Reg::new(File::M0, 0, 1);
    pub const NULL: Reg = Reg::new(File::Null, 0, 1);
    pub const EXEC_LO: Reg = Reg::new(File::Exec, 0, 1);
    pub const EXEC: Reg = Reg::new(File::Exec, 0, 2);
    pub const VCC_LO: Reg = Reg::new(File::Vcc, 0, 1);
    pub const VCC: Reg = Reg::new(File::Vcc, 0, 2);

    /// `exec_lo` or `exec`: the lane mask of a wave of `wave_lanes`.
    pub const fn exec(wave_lanes: u32) -> Reg {
        Reg::new(File::Exec, 0, (wave_lanes / 32) as u8)
    }
    /// `vcc_lo` or `vcc`.
    pub const fn vcc(wave_lanes: u32) -> Reg {
        Reg::new(File::Vcc, 0, (wave_lanes / 32) as u8)
    }

    /// `dwords` registers from the `first`th of this one.
    pub const fn sub(self, first: u8, dwords: u8) -> Reg {
        Reg::new(self.file, self.index + first as u16, dwords)
    }

    /// Whether the two share a dword.
    pub fn overlaps(self, other: Reg) -> bool {
        self.file == other.file
            && self.index < other.index + other.dwords as u16
            && other.index < self.index + self.dwords as u16
    }
}

/// As the assembler prints it, 32-bit halves by name: `v3`, `v[3:4]`, `s[0:1]`, `vcc_lo`, `exec`.
impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = match self.file {
            File::Vgpr => "v",
            File::Agpr => "a",
            File::Sgpr => "s",
            File::Ttmp => "ttmp",
            File::Vcc => return half(f, "vcc", self),
            File::Exec => return half(f, "exec", self),
            File::FlatScratch => return half(f, "flat_scratch", self),
            File::XnackMask => return half(f, "xnack_mask", self),
            File::M0 => return f.write_str("m0"),
            File::Null => return f.write_str("null"),
            File::Scc => return f.write_str("scc"),
            File::SharedBase => return f.write_str("src_shared_base"),
            File::SharedLimit => return f.write_str("src_shared_limit"),
            File::PrivateBase => return f.write_str("src_private_base"),
            File::PrivateLimit => return f.write_str("src_private_limit"),
            File::FlatScratchBase => return f.write_str("src_flat_scratch_base"),
        };
        match self.dwords {
            1 => write!(f, "{prefix}{}", self.index),
            n => write!(f, "{prefix}[{}:{}]", self.index, self.index + n as u16 - 1),
        }
    }
}

fn half(f: &mut fmt::Formatter<'_>, name: &str, reg: &Reg) -> fmt::Result {
    match (reg.index, reg.dwords) {
        (0, 2) => f.write_str(name),
        (0, _) => write!(f, "{name}_lo"),
        _ => write!(f, "{name}_hi"),
    }
}

impl fmt::Debug for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
