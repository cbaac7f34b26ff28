//! The kernel descriptor: 64 bytes that tell the command processor how to start waves.
//!
//! Spec: LLVM "User Guide for AMDGPU Backend", "Kernel Descriptor"; the bits of each family were found by flipping each
//! `.amdhsa_` directive of llvm-mc 22 (`tests/it/object.rs` compares with descriptors recorded from it).
//! One table, [`FIELDS`], is read by the packer and the unpacker. Not here: which values a kernel needs.

use std::fmt;

/// Processors with one descriptor layout.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// gfx900 to gfx90c, without gfx908.
    Gfx9,
    /// As [`Family::Gfx9`], with AGPRs in a file of their own.
    Gfx908,
    Gfx90a,
    /// gfx942 and gfx950: as gfx90a, with architected scratch.
    Gfx942,
    Gfx10,
    Gfx11,
    Gfx12,
    Gfx125,
}

impl Family {
    pub const ALL: [Family; 8] = [
        Family::Gfx9,
        Family::Gfx908,
        Family::Gfx90a,
        Family::Gfx942,
        Family::Gfx10,
        Family::Gfx11,
        Family::Gfx12,
        Family::Gfx125,
    ];

    /// The family of an `EF_AMDGPU_MACH` number; `None` where we know no layout.
    pub fn of_machine(machine: u32) -> Option<Family> {
        Some(match machine {
            0x2c..=0x2f | 0x31 | 0x32 | 0x51 => Family::Gfx9,
            0x30 => Family::Gfx908,
            0x3f => Family::Gfx90a,
            0x4c | 0x4f | 0x5f => Family::Gfx942,
            0x33..=0x39 | 0x3d | 0x3e | 0x42 | 0x45 | 0x52 | 0x53 => Family::Gfx10,
            0x41 | 0x43 | 0x44 | 0x46 | 0x47 | 0x4a | 0x50 | 0x54 | 0x55 | 0x58 => Family::Gfx11,
            0x48 | 0x4e | 0x59 => Family::Gfx12,
            0x49 | 0x5a => Family::Gfx125,
            _ => return None,
        })
    }

    /// Registers that one step of the VGPR field stands for.
    pub fn vgpr_granule(self) -> u32 {
        match self {
            Family::Gfx9 | Family::Gfx908 => 4,
            Family::Gfx90a | Family::Gfx942 | Family::Gfx10 | Family::Gfx11 | Family::Gfx12 => 8,
            Family::Gfx125 => 16,
        }
    }

    pub fn has_agprs(self) -> bool {
        matches!(self, Family::Gfx908 | Family::Gfx90a | Family::Gfx942)
    }

    /// VGPRs and AGPRs share one file, the AGPRs from `accum_offset` up.
    pub fn has_unified_agprs(self) -> bool {
        matches!(self, Family::Gfx90a | Family::Gfx942)
    }

    pub fn is_gfx9(self) -> bool {
        matches!(self, Family::Gfx9 | Family::Gfx908 | Family::Gfx90a | Family::Gfx942)
    }

    /// Scratch needs no SGPRs at entry.
    pub fn has_architected_scratch(self) -> bool {
        matches!(self, Family::Gfx942 | Family::Gfx11 | Family::Gfx12 | Family::Gfx125)
    }

    /// SGPRs above the numbered ones that a wave owns: VCC, XNACK mask, flat scratch on gfx9; VCC later.
    pub fn extra_sgprs(self) -> u32 {
        if self.is_gfx9() { 6 } else { 2 }
    }
}

/// The fields of a descriptor. Sizes are bytes; what a family lacks must be zero or false there.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Descriptor {
    /// `group_segment_fixed_size`: static LDS.
    pub lds_bytes: u32,
    /// `private_segment_fixed_size`: scratch of one work-item.
    pub scratch_bytes: u32,
    pub kernarg_bytes: u32,
    /// Address of the first instruction minus address of the descriptor.
    pub entry_offset: i64,
    // compute_pgm_rsrc1
    pub vgpr_granules: u32,
    pub sgpr_granules: u32,
    pub round_f32: u32,
    pub round_f64: u32,
    pub denorm_f32: u32,
    pub denorm_f64: u32,
    pub dx10_clamp: bool,
    pub ieee: bool,
    pub wg_round_robin: bool,
    pub fp16_overflow: bool,
    pub wgp_mode: bool,
    pub mem_ordered: bool,
    pub forward_progress: bool,
    // compute_pgm_rsrc2
    pub private_segment: bool,
    /// User SGPRs, which the work-group ids follow.
    pub user_sgpr_count: u32,
    pub workgroup_id_x: bool,
    pub workgroup_id_y: bool,
    pub workgroup_id_z: bool,
    pub workgroup_info: bool,
    /// 0: x; 1: x and y; 2: x, y and z.
    pub workitem_ids: u32,
    pub exceptions: u32,
    // compute_pgm_rsrc3
    /// First AGPR / 4 - 1 in the unified file.
    pub accum_offset: u32,
    pub tg_split: bool,
    pub shared_vgprs: u32,
    /// Instruction prefetch, 128-byte lines.
    pub inst_pref_size: u32,
    pub named_barriers: u32,
    // kernel_code_properties
    pub user_private_segment_buffer: bool,
    pub user_dispatch_ptr: bool,
    pub user_queue_ptr: bool,
    pub user_kernarg_segment_ptr: bool,
    pub user_dispatch_id: bool,
    pub user_flat_scratch_init: bool,
    pub user_private_segment_size: bool,
    pub wave32: bool,
    pub dynamic_stack: bool,
    // kernarg_preload, dwords
    pub preload_length: u32,
    pub preload_offset: u32,
}

/// Where a field lives: byte offset of its word in the descriptor, and bits `[hi:lo]` of it.
struct Field {
    name: &'static str,
    word: usize,
    hi: u32,
    lo: u32,
    families: &'static [Family],
    access: Access,
}

enum Access {
    Bits(fn(&mut Descriptor) -> &mut u32),
    Flag(fn(&mut Descriptor) -> &mut bool),
}

const GROUP_SEGMENT: usize = 0;
const PRIVATE_SEGMENT: usize = 4;
const KERNARG: usize = 8;
const ENTRY: usize = 16;
const RSRC3: usize = 44;
const RSRC1: usize = 48;
const RSRC2: usize = 52;
/// u16 `kernel_code_properties`, then u16 `kernarg_preload`, read as one word.
const PROPERTIES: usize = 56;

use Family::*;
const ALL: &[Family] = &Family::ALL;
const GFX9: &[Family] = &[Gfx9, Gfx908, Gfx90a, Gfx942];
const UNIFIED: &[Family] = &[Gfx90a, Gfx942];
const GFX10_UP: &[Family] = &[Gfx10, Gfx11, Gfx12, Gfx125];
const TO_GFX11: &[Family] = &[Gfx9, Gfx908, Gfx90a, Gfx942, Gfx10, Gfx11];
const NOT_ARCHITECTED: &[Family] = &[Gfx9, Gfx908, Gfx90a, Gfx10];
const PRELOAD: &[Family] = &[Gfx90a, Gfx942, Gfx125];

macro_rules! fields {
    ($($word:ident [$hi:literal : $lo:literal] $kind:ident $name:ident $families:expr;)*) => {
        const FIELDS: &[Field] = &[$(Field {
            name: stringify!($name), word: $word, hi: $hi, lo: $lo, families: $families,
            access: Access::$kind(|d| &mut d.$name),
        }),*];
    };
}

fields! {
    GROUP_SEGMENT   [31:0]  Bits lds_bytes          ALL;
    PRIVATE_SEGMENT [31:0]  Bits scratch_bytes      ALL;
    KERNARG         [31:0]  Bits kernarg_bytes      ALL;
    RSRC1 [5:0]   Bits vgpr_granules                ALL;
    RSRC1 [9:6]   Bits sgpr_granules                GFX9;
    RSRC1 [13:12] Bits round_f32                    ALL;
    RSRC1 [15:14] Bits round_f64                    ALL;
    RSRC1 [17:16] Bits denorm_f32                   ALL;
    RSRC1 [19:18] Bits denorm_f64                   ALL;
    RSRC1 [21:21] Flag dx10_clamp                   TO_GFX11;
    RSRC1 [21:21] Flag wg_round_robin               &[Gfx12, Gfx125];
    RSRC1 [23:23] Flag ieee                         TO_GFX11;
    RSRC1 [26:26] Flag fp16_overflow                ALL;
    RSRC1 [29:29] Flag wgp_mode                     &[Gfx10, Gfx11, Gfx12];
    RSRC1 [30:30] Flag mem_ordered                  GFX10_UP;
    RSRC1 [31:31] Flag forward_progress             GFX10_UP;
    RSRC2 [0:0]   Flag private_segment              ALL;
    RSRC2 [5:1]   Bits user_sgpr_count              ALL;
    RSRC2 [7:7]   Flag workgroup_id_x               ALL;
    RSRC2 [8:8]   Flag workgroup_id_y               ALL;
    RSRC2 [9:9]   Flag workgroup_id_z               ALL;
    RSRC2 [10:10] Flag workgroup_info               ALL;
    RSRC2 [12:11] Bits workitem_ids                 ALL;
    RSRC2 [30:24] Bits exceptions                   ALL;
    RSRC3 [5:0]   Bits accum_offset                 UNIFIED;
    RSRC3 [16:16] Flag tg_split                     UNIFIED;
    RSRC3 [3:0]   Bits shared_vgprs                 &[Gfx10, Gfx11];
    RSRC3 [9:4]   Bits inst_pref_size               &[Gfx11];
    RSRC3 [11:4]  Bits inst_pref_size               &[Gfx12, Gfx125];
    RSRC3 [16:14] Bits named_barriers               &[Gfx125];
    PROPERTIES [0:0]   Flag user_private_segment_buffer NOT_ARCHITECTED;
    PROPERTIES [1:1]   Flag user_dispatch_ptr           ALL;
    PROPERTIES [2:2]   Flag user_queue_ptr              ALL;
    PROPERTIES [3:3]   Flag user_kernarg_segment_ptr    ALL;
    PROPERTIES [4:4]   Flag user_dispatch_id            ALL;
    PROPERTIES [5:5]   Flag user_flat_scratch_init      NOT_ARCHITECTED;
    PROPERTIES [6:6]   Flag user_private_segment_size   ALL;
    PROPERTIES [10:10] Flag wave32                      GFX10_UP;
    PROPERTIES [11:11] Flag dynamic_stack               ALL;
    PROPERTIES [22:16] Bits preload_length              PRELOAD;
    PROPERTIES [31:23] Bits preload_offset              PRELOAD;
}

/// A descriptor that cannot be written: a field with a value that its family has no bits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldError {
    pub field: &'static str,
    pub value: u32,
    pub family: Family,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel descriptor field `{}` cannot hold {} on {:?}", self.field, self.value, self.family)
    }
}

impl Descriptor {
    /// LLVM's defaults: round to nearest even, keep denormals, DX10 clamp and IEEE where they exist, WGP mode, ordered
    /// memory, forward progress; work-group id x enabled; nothing else.
    pub fn new(family: Family) -> Descriptor {
        let gfx10_up = GFX10_UP.contains(&family);
        let to_gfx11 = TO_GFX11.contains(&family);
        Descriptor {
            denorm_f32: 3,
            denorm_f64: 3,
            dx10_clamp: to_gfx11,
            ieee: to_gfx11,
            wgp_mode: matches!(family, Gfx10 | Gfx11 | Gfx12),
            mem_ordered: gfx10_up,
            forward_progress: gfx10_up,
            workgroup_id_x: true,
            wave32: gfx10_up,
            ..Descriptor::default()
        }
    }

    /// Sets the register fields for `vgprs`, `agprs` and numbered `sgprs` used (counts, highest register + 1).
    pub fn set_registers(&mut self, family: Family, vgprs: u32, agprs: u32, sgprs: u32) {
        let granules = |count: u32, granule: u32| count.max(1).div_ceil(granule) - 1;
        self.vgpr_granules = granules(total_vgprs(family, vgprs, agprs), family.vgpr_granule());
        if family.is_gfx9() {
            self.sgpr_granules = granules(sgprs + family.extra_sgprs(), 8);
        }
        if family.has_unified_agprs() {
            self.accum_offset = vgprs.max(1).div_ceil(4) - 1;
        }
    }

    /// SGPRs that the enabled user values take, without padding.
    pub fn user_sgprs_needed(&self) -> u32 {
        let of = |on: bool, dwords: u32| if on { dwords } else { 0 };
        of(self.user_private_segment_buffer, 4)
            + of(self.user_dispatch_ptr, 2)
            + of(self.user_queue_ptr, 2)
            + of(self.user_kernarg_segment_ptr, 2)
            + of(self.user_dispatch_id, 2)
            + of(self.user_flat_scratch_init, 2)
            + of(self.user_private_segment_size, 1)
            + self.preload_length
    }

    /// The 64 bytes. Fails on a value that its field cannot hold on this family.
    pub fn pack(&self, family: Family) -> Result<[u8; 64], FieldError> {
        let mut copy = *self;
        let mut bytes = [0u8; 64];
        for field in FIELDS {
            let value = match field.access {
                Access::Bits(get) => *get(&mut copy),
                Access::Flag(get) => *get(&mut copy) as u32,
            };
            let here = field.families.contains(&family);
            if !here {
                // The same field may stand elsewhere on this family.
                let elsewhere = FIELDS.iter().any(|f| f.name == field.name && f.families.contains(&family));
                if value != 0 && !elsewhere {
                    return Err(FieldError { field: field.name, value, family });
                }
                continue;
            }
            let width = field.hi - field.lo + 1;
            if width < 32 && value >> width != 0 {
                return Err(FieldError { field: field.name, value, family });
            }
            let word = word_at(&bytes, field.word) | value << field.lo;
            bytes[field.word..field.word + 4].copy_from_slice(&word.to_le_bytes());
        }
        bytes[ENTRY..ENTRY + 8].copy_from_slice(&self.entry_offset.to_le_bytes());
        Ok(bytes)
    }

    /// Reads the fields that this family has; other bits are ignored.
    pub fn unpack(bytes: &[u8; 64], family: Family) -> Descriptor {
        let mut d = Descriptor::default();
        for field in FIELDS.iter().filter(|f| f.families.contains(&family)) {
            let width = field.hi - field.lo + 1;
            let mask = if width == 32 { u32::MAX } else { (1 << width) - 1 };
            let value = word_at(bytes, field.word) >> field.lo & mask;
            match field.access {
                Access::Bits(get) => *get(&mut d) = value,
                Access::Flag(get) => *get(&mut d) = value != 0,
            }
        }
        let mut entry = [0; 8];
        entry.copy_from_slice(&bytes[ENTRY..ENTRY + 8]);
        d.entry_offset = i64::from_le_bytes(entry);
        d
    }

    /// VGPRs that a wave is given, AGPRs of a unified file included.
    pub fn vgprs_allocated(&self, family: Family) -> u32 {
        (self.vgpr_granules + 1) * family.vgpr_granule()
    }
}

/// Registers of the VGPR field: in a unified file the AGPRs start at a multiple of 4; on gfx908 the larger file counts.
pub fn total_vgprs(family: Family, vgprs: u32, agprs: u32) -> u32 {
    if family.has_unified_agprs() {
        if agprs == 0 { vgprs } else { vgprs.next_multiple_of(4) + agprs }
    } else {
        vgprs.max(agprs)
    }
}

fn word_at(bytes: &[u8; 64], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_fields_of_a_family_overlap() {
        for family in Family::ALL {
            let mut used = [0u64; 16];
            for field in FIELDS.iter().filter(|f| f.families.contains(&family)) {
                let mask = ((1u64 << (field.hi - field.lo + 1)) - 1) << field.lo;
                assert_eq!(used[field.word / 4] & mask, 0, "{} on {family:?}", field.name);
                used[field.word / 4] |= mask;
            }
        }
    }

    #[test]
    fn a_field_that_the_family_lacks_is_refused() {
        let d = Descriptor { ieee: true, ..Descriptor::new(Gfx12) };
        assert_eq!(d.pack(Gfx12), Err(FieldError { field: "ieee", value: 1, family: Gfx12 }));
        let d = Descriptor { inst_pref_size: 64, ..Descriptor::new(Gfx11) };
        assert_eq!(d.pack(Gfx11).unwrap_err().field, "inst_pref_size");
        assert!(Descriptor { inst_pref_size: 64, ..Descriptor::new(Gfx12) }.pack(Gfx12).is_ok());
    }
}
