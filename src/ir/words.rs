//! The spelling of the IR's small enums in its text form: one row for each, read by the printer and the parser.

use super::lanemap::ShuffleMode;
use super::*;

macro_rules! words {
    ($($ty:ident { $($variant:ident = $text:literal),* $(,)? })*) => {
        $(impl $ty {
            /// The word of the text form.
            pub fn word(self) -> &'static str {
                match self { $($ty::$variant => $text),* }
            }
            /// The value that a word of the text form names.
            pub fn from_word(word: &str) -> Option<$ty> {
                Some(match word { $($text => $ty::$variant,)* _ => return None })
            }
        })*
    };
}

#[rustfmt::skip]
words! {
    Type { Pred = "pred", B32 = "b32", B64 = "b64" }
    Width { W32 = "b32", W64 = "b64" }
    IntOp {
        Add = "add", Sub = "sub", Mul = "mul", MulHiU = "mulhi_u", MulHiS = "mulhi_s", DivU = "div_u", DivS = "div_s",
        RemU = "rem_u", RemS = "rem_s", MinU = "min_u", MinS = "min_s", MaxU = "max_u", MaxS = "max_s", And = "and",
        Or = "or", Xor = "xor", Shl = "shl", ShrU = "shr_u", ShrS = "shr_s", AddSatS = "add_sat_s",
        SubSatS = "sub_sat_s",
    }
    UnaryOp { Not = "not", Neg = "neg", Popc = "popc", Ffbh = "ffbh", Ffbl = "ffbl", Brev = "brev" }
    CmpOp {
        Eq = "eq", Ne = "ne", LtU = "lt_u", LeU = "le_u", GtU = "gt_u", GeU = "ge_u", LtS = "lt_s", LeS = "le_s",
        GtS = "gt_s", GeS = "ge_s",
    }
    PredOp { And = "and", Or = "or", Xor = "xor" }
    PrmtMode { Generic = "generic", Bytes = "bytes", F4e = "f4e", B4e = "b4e", Rc8 = "rc8", Ecl = "ecl", Ecr = "ecr", Rc16 = "rc16" }
    FloatTy { F16 = "f16", Bf16 = "bf16", F32 = "f32", F64 = "f64", F16x2 = "f16x2", Bf16x2 = "bf16x2" }
    Round { NearestEven = "rn", Up = "rp", Down = "rm", Zero = "rz" }
    FloatOp {
        Add = "add", Sub = "sub", Mul = "mul", Div = "div", Fma = "fma", Min = "min", Max = "max", MinNan = "min_nan",
        MaxNan = "max_nan", Neg = "neg", Abs = "abs", Rint = "rint",
    }
    ApproxOp { Rcp = "rcp", Rsqrt = "rsqrt", Ex2 = "ex2" }
    FCmpOp {
        Eq = "eq", Ne = "ne", Lt = "lt", Le = "le", Gt = "gt", Ge = "ge", EqU = "eq_u", NeU = "ne_u", LtU = "lt_u",
        LeU = "le_u", GtU = "gt_u", GeU = "ge_u", Num = "num", Nan = "nan",
    }
    Special {
        TidX = "tid_x", TidY = "tid_y", TidZ = "tid_z", NtidX = "ntid_x", NtidY = "ntid_y", NtidZ = "ntid_z",
        CtaidX = "ctaid_x", CtaidY = "ctaid_y", CtaidZ = "ctaid_z", NctaidX = "nctaid_x", NctaidY = "nctaid_y",
        NctaidZ = "nctaid_z", GridX = "grid_x", GridY = "grid_y", GridZ = "grid_z", LaneId = "laneid",
        WarpId = "warpid", LanemaskEq = "lanemask_eq",
        LanemaskLe = "lanemask_le", LanemaskLt = "lanemask_lt", LanemaskGe = "lanemask_ge",
        LanemaskGt = "lanemask_gt", DynamicSharedBytes = "dynamic_shared_bytes",
    }
    BarKind { Sync = "sync", Arrive = "arrive", Popc = "popc", And = "and", Or = "or" }
    Aperture { Shared = "shared", Local = "local", LocalBase = "local_base" }
    Space {
        Param = "param", Global = "global", Const = "const", Shared = "shared", Local = "local", Generic = "generic",
    }
    Scope { Cta = "cta", Cluster = "cluster", Gpu = "gpu", Sys = "sys" }
    Order {
        Weak = "weak", Volatile = "volatile", Relaxed = "relaxed", Acquire = "acquire", Release = "release",
        AcqRel = "acq_rel",
    }
    ShuffleMode { Up = "up", Down = "down", Bfly = "bfly", Idx = "idx" }
    AtomicOp {
        Add = "add", And = "and", Or = "or", Xor = "xor", MinU = "min_u", MinS = "min_s", MaxU = "max_u",
        MaxS = "max_s", Inc = "inc", Dec = "dec", Exchange = "exch", CompareExchange = "cas",
    }
}
