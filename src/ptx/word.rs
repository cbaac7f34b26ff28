//! The words of PTX: opcodes, modifiers, directives and special registers, each with a fixed id.
//!
//! Words have no dots; `::` in a word is `_` in its constant (`shared::cta` is [`SHARED_CTA`]); a word that is a
//! keyword of Rust ends in an underscore ([`MATCH_`]); one that begins with a digit begins with `DIM_`.
//! A word may play several parts: [`ADD`] is an opcode and a modifier of `atom`.
//! Components of special registers are words of their own (`%tid.x` is [`TID_X`]).

use super::names::Name;
use super::tree::ScalarType;

macro_rules! words {
    ($($name:ident = $text:literal,)*) => {
        /// The ids, in table order.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Index { $($name),* }
        $(#[doc = concat!("`", $text, "`")] pub const $name: Name = Name(Index::$name as u32);)*
        /// Every word, by id.
        pub const TEXTS: &[&str] = &[$($text),*];
    };
}

#[rustfmt::skip]
words! {
    // Opcodes.
    ABS = "abs", ACTIVEMASK = "activemask", ADD = "add", ADDC = "addc", ALLOCA = "alloca", AND = "and",
    APPLYPRIORITY = "applypriority", ATOM = "atom", BAR = "bar", BARRIER = "barrier", BFE = "bfe", BFI = "bfi",
    BFIND = "bfind", BMSK = "bmsk", BRA = "bra", BREV = "brev", BRKPT = "brkpt", BRX = "brx", CALL = "call",
    CLUSTERLAUNCHCONTROL = "clusterlaunchcontrol", CLZ = "clz", CNOT = "cnot", COPYSIGN = "copysign", COS = "cos",
    CP = "cp", CREATEPOLICY = "createpolicy", CVT = "cvt", CVTA = "cvta", DISCARD = "discard", DIV = "div",
    DP2A = "dp2a", DP4A = "dp4a", ELECT = "elect", EX2 = "ex2", EXIT = "exit", FENCE = "fence", FMA = "fma",
    FNS = "fns", GETCTARANK = "getctarank", GRIDDEPCONTROL = "griddepcontrol", ISSPACEP = "isspacep",
    ISTYPEP = "istypep", LD = "ld", LDMATRIX = "ldmatrix", LDU = "ldu", LG2 = "lg2", LOP3 = "lop3", MAD = "mad",
    MAD24 = "mad24", MADC = "madc", MAPA = "mapa", MATCH_ = "match", MAX = "max", MBARRIER = "mbarrier",
    MEMBAR = "membar", MIN = "min", MMA = "mma", MOV = "mov", MOVMATRIX = "movmatrix", MUL = "mul", MUL24 = "mul24",
    MULTIMEM = "multimem", NANOSLEEP = "nanosleep", NEG = "neg", NOT = "not", OR = "or", PMEVENT = "pmevent",
    POPC = "popc", PREFETCH = "prefetch", PREFETCHU = "prefetchu", PRMT = "prmt", RCP = "rcp", RED = "red",
    REDUX = "redux", REM = "rem", RET = "ret", RSQRT = "rsqrt", SAD = "sad", SELP = "selp", SET = "set",
    SETMAXNREG = "setmaxnreg", SETP = "setp", SHF = "shf", SHFL = "shfl", SHL = "shl", SHR = "shr", SIN = "sin",
    SLCT = "slct", SQRT = "sqrt", ST = "st", STACKRESTORE = "stackrestore", STACKSAVE = "stacksave",
    STMATRIX = "stmatrix", SUB = "sub", SUBC = "subc", SULD = "suld", SUQ = "suq", SURED = "sured", SUST = "sust",
    SZEXT = "szext", TANH = "tanh", TCGEN05 = "tcgen05", TENSORMAP = "tensormap", TESTP = "testp", TEX = "tex",
    TLD4 = "tld4", TRAP = "trap", TXQ = "txq", VABSDIFF = "vabsdiff", VABSDIFF2 = "vabsdiff2",
    VABSDIFF4 = "vabsdiff4", VADD = "vadd", VADD2 = "vadd2", VADD4 = "vadd4", VAVRG2 = "vavrg2", VAVRG4 = "vavrg4",
    VMAD = "vmad", VMAX = "vmax", VMAX2 = "vmax2", VMAX4 = "vmax4", VMIN = "vmin", VMIN2 = "vmin2", VMIN4 = "vmin4",
    VOTE = "vote", VSET = "vset", VSET2 = "vset2", VSET4 = "vset4", VSHL = "vshl", VSHR = "vshr", VSUB = "vsub",
    VSUB2 = "vsub2", VSUB4 = "vsub4", WGMMA = "wgmma", WMMA = "wmma", XOR = "xor",
    // Types, in the order of `ScalarType`.
    U8 = "u8", U16 = "u16", U32 = "u32", U64 = "u64", S8 = "s8", S16 = "s16", S32 = "s32", S64 = "s64", B8 = "b8",
    B16 = "b16", B32 = "b32", B64 = "b64", B128 = "b128", F16 = "f16", F16X2 = "f16x2", BF16 = "bf16",
    BF16X2 = "bf16x2", TF32 = "tf32", F32 = "f32", F64 = "f64", PRED = "pred", U16X2 = "u16x2", S16X2 = "s16x2",
    E4M3 = "e4m3", E5M2 = "e5m2", E4M3X2 = "e4m3x2", E5M2X2 = "e5m2x2", E2M1X2 = "e2m1x2", E2M3X2 = "e2m3x2",
    E3M2X2 = "e3m2x2", UE8M0X2 = "ue8m0x2", TEXREF = "texref", SAMPLERREF = "samplerref", SURFREF = "surfref",
    // Directives and what stands in them.
    ALIGN = "align", VERSION = "version", TARGET = "target", ADDRESS_SIZE = "address_size", ENTRY = "entry",
    FUNC = "func", VISIBLE = "visible", EXTERN_ = "extern", WEAK = "weak", COMMON = "common", PTR = "ptr",
    FILE = "file", LOC = "loc", SECTION = "section", PRAGMA = "pragma", ALIAS = "alias", ATTRIBUTE = "attribute",
    MANAGED = "managed", UNIFIED = "unified", BRANCHTARGETS = "branchtargets", CALLTARGETS = "calltargets",
    CALLPROTOTYPE = "callprototype", MAXNTID = "maxntid", REQNTID = "reqntid", MINNCTAPERSM = "minnctapersm",
    MAXNCTAPERSM = "maxnctapersm", MAXNREG = "maxnreg", NORETURN = "noreturn", EXPLICITCLUSTER = "explicitcluster",
    REQNCTAPERCLUSTER = "reqnctapercluster", MAXCLUSTERRANK = "maxclusterrank",
    BLOCKSARECLUSTERS = "blocksareclusters", ABI_PRESERVE = "abi_preserve",
    ABI_PRESERVE_CONTROL = "abi_preserve_control", FUNCTION_NAME = "function_name", INLINED_AT = "inlined_at",
    GENERIC = "generic",
    // State spaces.
    REG = "reg", SREG = "sreg", CONST_ = "const", GLOBAL = "global", LOCAL = "local", PARAM = "param",
    SHARED = "shared", SHARED_CTA = "shared::cta", SHARED_CLUSTER = "shared::cluster", PARAM_ENTRY = "param::entry",
    PARAM_FUNC = "param::func",
    // Vectors, halves and rounding.
    V2 = "v2", V4 = "v4", V8 = "v8", LO = "lo", HI = "hi", WIDE = "wide", SAT = "sat", SATFINITE = "satfinite",
    FTZ = "ftz", NOFTZ = "noftz", RN = "rn", RZ = "rz", RM = "rm", RP = "rp", RNA = "rna", RS = "rs", RNI = "rni",
    RZI = "rzi", RMI = "rmi", RPI = "rpi", APPROX = "approx", FULL = "full", RELU = "relu", CC = "cc", WRAP = "wrap",
    CLAMP = "clamp", L = "l", R = "r", TO = "to",
    // Modes of single instructions.
    F4E = "f4e", B4E = "b4e", RC8 = "rc8", ECL = "ecl", ECR = "ecr", RC16 = "rc16", SHIFTAMT = "shiftamt", UP = "up",
    DOWN = "down", BFLY = "bfly", IDX = "idx", BALLOT = "ballot", ANY = "any", ALL = "all", UNI = "uni",
    SYNC = "sync", ALIGNED = "aligned", WARP = "warp", ARRIVE = "arrive", WAIT = "wait", EXCH = "exch", CAS = "cas",
    INC = "inc", DEC = "dec", SHR7 = "shr7", SHR15 = "shr15", PO = "po", ZERO = "zero",
    // Comparisons and tests.
    EQ = "eq", NE = "ne", LT = "lt", LE = "le", GT = "gt", GE = "ge", LS = "ls", HS = "hs", EQU = "equ", NEU = "neu",
    LTU = "ltu", LEU = "leu", GTU = "gtu", GEU = "geu", NUM = "num", NAN = "nan", FINITE = "finite",
    INFINITE = "infinite", NUMBER = "number", NOTANUMBER = "notanumber", NORMAL = "normal", SUBNORMAL = "subnormal",
    // Memory ordering, scopes and caches.
    VOLATILE = "volatile", RELAXED = "relaxed", ACQUIRE = "acquire", RELEASE = "release", ACQ_REL = "acq_rel",
    SC = "sc", MMIO = "mmio", CTA = "cta", CLUSTER = "cluster", GPU = "gpu", SYS = "sys", GL = "gl", NC = "nc",
    CA = "ca", CG = "cg", CS = "cs", LU = "lu", CV = "cv", WB = "wb", WT = "wt", L1 = "L1", L2 = "L2",
    L1_EVICT_NORMAL = "L1::evict_normal", L1_EVICT_UNCHANGED = "L1::evict_unchanged",
    L1_EVICT_FIRST = "L1::evict_first", L1_EVICT_LAST = "L1::evict_last", L1_NO_ALLOCATE = "L1::no_allocate",
    L2_EVICT_NORMAL = "L2::evict_normal", L2_EVICT_FIRST = "L2::evict_first", L2_EVICT_LAST = "L2::evict_last",
    L2_EVICT_UNCHANGED = "L2::evict_unchanged", L2_CACHE_HINT = "L2::cache_hint", L2_64B = "L2::64B",
    L2_128B = "L2::128B", L2_256B = "L2::256B",
    // Asynchronous copies, barriers and matrices.
    ASYNC_ = "async", PROXY = "proxy", BULK = "bulk", TENSOR = "tensor", COMMIT_GROUP = "commit_group",
    WAIT_GROUP = "wait_group", WAIT_ALL = "wait_all", MMA_ASYNC = "mma_async", LOAD = "load", STORE = "store",
    INIT = "init", INVAL = "inval", EXPECT_TX = "expect_tx", COMPLETE_TX = "complete_tx", TEST_WAIT = "test_wait",
    TRY_WAIT = "try_wait", ARRIVE_DROP = "arrive_drop", PENDING_COUNT = "pending_count", NOCOMPLETE = "noComplete",
    PARITY = "parity", X1 = "x1", X2 = "x2", X4 = "x4", TRANS = "trans", ROW = "row", COL = "col", B0 = "b0",
    B1 = "b1", B2 = "b2", B3 = "b3", H0 = "h0", H1 = "h1",
    // Textures and surfaces.
    DIM_1D = "1d", DIM_2D = "2d", DIM_3D = "3d", A1D = "a1d", A2D = "a2d", CUBE = "cube", ACUBE = "acube",
    DIM_2DMS = "2dms", A2DMS = "a2dms", LEVEL = "level", GRAD = "grad", BASE = "base", A = "a", B = "b", G = "g",
    // Components of vectors, besides `r g b a`.
    X = "x", Y = "y", Z = "z", W = "w",
    // Special registers with components: the vector, then its components.
    TID = "%tid", TID_X = "%tid.x", TID_Y = "%tid.y", TID_Z = "%tid.z", TID_W = "%tid.w",
    NTID = "%ntid", NTID_X = "%ntid.x", NTID_Y = "%ntid.y", NTID_Z = "%ntid.z", NTID_W = "%ntid.w",
    CTAID = "%ctaid", CTAID_X = "%ctaid.x", CTAID_Y = "%ctaid.y", CTAID_Z = "%ctaid.z", CTAID_W = "%ctaid.w",
    NCTAID = "%nctaid", NCTAID_X = "%nctaid.x", NCTAID_Y = "%nctaid.y", NCTAID_Z = "%nctaid.z", NCTAID_W = "%nctaid.w",
    CLUSTERID = "%clusterid", CLUSTERID_X = "%clusterid.x", CLUSTERID_Y = "%clusterid.y",
    CLUSTERID_Z = "%clusterid.z", CLUSTERID_W = "%clusterid.w",
    NCLUSTERID = "%nclusterid", NCLUSTERID_X = "%nclusterid.x", NCLUSTERID_Y = "%nclusterid.y",
    NCLUSTERID_Z = "%nclusterid.z", NCLUSTERID_W = "%nclusterid.w",
    CLUSTER_CTAID = "%cluster_ctaid", CLUSTER_CTAID_X = "%cluster_ctaid.x", CLUSTER_CTAID_Y = "%cluster_ctaid.y",
    CLUSTER_CTAID_Z = "%cluster_ctaid.z", CLUSTER_CTAID_W = "%cluster_ctaid.w",
    CLUSTER_NCTAID = "%cluster_nctaid", CLUSTER_NCTAID_X = "%cluster_nctaid.x", CLUSTER_NCTAID_Y = "%cluster_nctaid.y",
    CLUSTER_NCTAID_Z = "%cluster_nctaid.z", CLUSTER_NCTAID_W = "%cluster_nctaid.w",
    // Special registers.
    LANEID = "%laneid", WARPID = "%warpid", NWARPID = "%nwarpid", SMID = "%smid", NSMID = "%nsmid",
    GRIDID = "%gridid", IS_EXPLICIT_CLUSTER = "%is_explicit_cluster", CLUSTER_CTARANK = "%cluster_ctarank",
    CLUSTER_NCTARANK = "%cluster_nctarank", LANEMASK_EQ = "%lanemask_eq", LANEMASK_LE = "%lanemask_le",
    LANEMASK_LT = "%lanemask_lt", LANEMASK_GE = "%lanemask_ge", LANEMASK_GT = "%lanemask_gt", CLOCK = "%clock",
    CLOCK_HI = "%clock_hi", CLOCK64 = "%clock64", GLOBALTIMER = "%globaltimer", GLOBALTIMER_LO = "%globaltimer_lo",
    GLOBALTIMER_HI = "%globaltimer_hi", RESERVED_SMEM_OFFSET_BEGIN = "%reserved_smem_offset_begin",
    RESERVED_SMEM_OFFSET_END = "%reserved_smem_offset_end", RESERVED_SMEM_OFFSET_CAP = "%reserved_smem_offset_cap",
    TOTAL_SMEM_SIZE = "%total_smem_size", AGGR_SMEM_SIZE = "%aggr_smem_size",
    DYNAMIC_SMEM_SIZE = "%dynamic_smem_size", CURRENT_GRAPH_EXEC = "%current_graph_exec", PM0 = "%pm0", PM1 = "%pm1",
    PM2 = "%pm2", PM3 = "%pm3", PM4 = "%pm4", PM5 = "%pm5", PM6 = "%pm6", PM7 = "%pm7", PM0_64 = "%pm0_64",
    PM1_64 = "%pm1_64", PM2_64 = "%pm2_64", PM3_64 = "%pm3_64", PM4_64 = "%pm4_64", PM5_64 = "%pm5_64",
    PM6_64 = "%pm6_64", PM7_64 = "%pm7_64", ENVREG0 = "%envreg0", ENVREG1 = "%envreg1", ENVREG2 = "%envreg2",
    ENVREG3 = "%envreg3", ENVREG4 = "%envreg4", ENVREG5 = "%envreg5", ENVREG6 = "%envreg6", ENVREG7 = "%envreg7",
    ENVREG8 = "%envreg8", ENVREG9 = "%envreg9", ENVREG10 = "%envreg10", ENVREG11 = "%envreg11",
    ENVREG12 = "%envreg12", ENVREG13 = "%envreg13", ENVREG14 = "%envreg14", ENVREG15 = "%envreg15",
    ENVREG16 = "%envreg16", ENVREG17 = "%envreg17", ENVREG18 = "%envreg18", ENVREG19 = "%envreg19",
    ENVREG20 = "%envreg20", ENVREG21 = "%envreg21", ENVREG22 = "%envreg22", ENVREG23 = "%envreg23",
    ENVREG24 = "%envreg24", ENVREG25 = "%envreg25", ENVREG26 = "%envreg26", ENVREG27 = "%envreg27",
    ENVREG28 = "%envreg28", ENVREG29 = "%envreg29", ENVREG30 = "%envreg30", ENVREG31 = "%envreg31",
    // Names with a meaning of their own.
    WARP_SZ = "WARP_SZ", SINK = "_", DWARF = "@@DWARF",
}

/// The type that a modifier names: `s32`, `f16x2`, `pred`.
pub const fn scalar_type(word: Name) -> Option<ScalarType> {
    Some(match word {
        U8 => ScalarType::U8,
        U16 => ScalarType::U16,
        U32 => ScalarType::U32,
        U64 => ScalarType::U64,
        S8 => ScalarType::S8,
        S16 => ScalarType::S16,
        S32 => ScalarType::S32,
        S64 => ScalarType::S64,
        B8 => ScalarType::B8,
        B16 => ScalarType::B16,
        B32 => ScalarType::B32,
        B64 => ScalarType::B64,
        B128 => ScalarType::B128,
        F16 => ScalarType::F16,
        F16X2 => ScalarType::F16x2,
        BF16 => ScalarType::Bf16,
        BF16X2 => ScalarType::Bf16x2,
        TF32 => ScalarType::Tf32,
        F32 => ScalarType::F32,
        F64 => ScalarType::F64,
        PRED => ScalarType::Pred,
        U16X2 => ScalarType::U16x2,
        S16X2 => ScalarType::S16x2,
        E4M3 => ScalarType::E4m3,
        E5M2 => ScalarType::E5m2,
        E4M3X2 => ScalarType::E4m3x2,
        E5M2X2 => ScalarType::E5m2x2,
        E2M1X2 => ScalarType::E2m1x2,
        E2M3X2 => ScalarType::E2m3x2,
        E3M2X2 => ScalarType::E3m2x2,
        UE8M0X2 => ScalarType::Ue8m0x2,
        TEXREF => ScalarType::Texref,
        SAMPLERREF => ScalarType::Samplerref,
        SURFREF => ScalarType::Surfref,
        _ => return None,
    })
}

/// Every scalar type.
pub fn scalar_types() -> impl Iterator<Item = ScalarType> {
    (U8.0..=SURFREF.0).filter_map(|id| scalar_type(Name(id)))
}

/// Whether the name is a special register or a component of one.
pub const fn is_special_register(word: Name) -> bool {
    word.0 >= TID.0 && word.0 <= ENVREG31.0
}

/// The size of a special register, bytes: 4, 8, or none for the predicate `%is_explicit_cluster`.
pub const fn special_register_bytes(word: Name) -> Option<u32> {
    match word {
        IS_EXPLICIT_CLUSTER => None,
        CLOCK64 | GLOBALTIMER | GRIDID | CURRENT_GRAPH_EXEC => Some(8),
        _ if word.0 >= PM0_64.0 && word.0 <= PM7_64.0 => Some(8),
        _ => Some(4),
    }
}

/// The component 0 to 3 (`.x .y .z .w`) of a special vector register: `%tid` and 1 give `%tid.y`.
pub const fn component(word: Name, index: u8) -> Option<Name> {
    let in_vectors = word.0 >= TID.0 && word.0 <= CLUSTER_NCTAID.0;
    if in_vectors && (word.0 - TID.0).is_multiple_of(5) && index < 4 {
        Some(Name(word.0 + 1 + index as u32))
    } else {
        None
    }
}

/// The special vector register of a component, and every other name itself.
pub const fn vector(word: Name) -> Name {
    if word.0 >= TID.0 && word.0 <= CLUSTER_NCTAID_W.0 { Name(word.0 - (word.0 - TID.0) % 5) } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_stand_in_the_order_of_the_enum() {
        for (index, text) in TEXTS.iter().enumerate() {
            if let Some(ty) = scalar_type(Name(index as u32)) {
                assert_eq!(ty.word(), *text);
            }
        }
        assert_eq!(scalar_type(SURFREF), Some(ScalarType::Surfref));
    }

    #[test]
    fn components_of_special_registers_follow_their_vector() {
        assert_eq!(component(TID, 0), Some(TID_X));
        assert_eq!(component(CLUSTER_NCTAID, 3), Some(CLUSTER_NCTAID_W));
        assert_eq!(component(TID_X, 0), None);
        assert_eq!(vector(CLUSTER_NCTAID_W), CLUSTER_NCTAID);
        assert_eq!(vector(LANEID), LANEID);
        assert_eq!(component(LANEID, 0), None);
    }
}
