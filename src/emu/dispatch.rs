//! The device as a host sees it: memory, modules, launches; and the state that a wave starts in.
//!
//! Spec: LLVM "User Guide for AMDGPU Backend", "Initial Kernel Execution State", "Kernarg Segment", "Code Object V5
//! Metadata"; the HSA kernel dispatch packet.

use super::code::RegisterFile;
use super::fault::{Fault, FaultKind};
use super::group::{Apertures, Barrier, Code, Machine};
use super::memory::Memory;
use super::waits::Waits;
use super::wave::{Wave, garbage, slot};
use crate::amd::{Feature, Target, hazard};
use crate::object::{self, CodeObject, Descriptor, Family, Kernel, RelocationKind};

/// Where an image starts below a multiple of 4 GiB: its code and data lie on different sides.
const IMAGE_BELOW_SLOT: u64 = 0x2000;

/// Scratch of one work-group, and the kernarg segment: nothing real comes near.
const MAX_SCRATCH_BYTES: u64 = 1 << 30;
const MAX_KERNARG_BYTES: u32 = 1 << 20;

/// How the emulator behaves beyond what the machine prescribes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Report registers used before their wait counter allows it.
    pub check_waits: bool,
    /// Refuse code with a hazard in it (`docs/hazards.md`) before it runs.
    pub check_hazards: bool,
    /// Work-groups of a cluster, gfx1250 only; all ones is no cluster.
    pub cluster: [u32; 3],
    /// What nothing has written (registers, LDS, scratch) reads as zero; otherwise as garbage, the same every time.
    pub zero_fill: bool,
    /// Instructions that a wave executes before the next one's turn.
    pub slice: u32,
    /// Instructions of one launch, all waves together.
    pub step_limit: u64,
    /// A lane whose results are recorded in [`Device::trace`].
    pub trace: Option<Traced>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Traced {
    pub group: [u32; 3],
    /// Number within the work-group.
    pub wave: u32,
    pub lane: u32,
}

/// An instruction that a recorded lane executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Executed {
    /// Bytes from the start of the kernel's code.
    pub code_offset: u64,
    /// The dwords that it wrote, of a VGPR the lane's.
    pub values: Vec<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            check_waits: true,
            check_hazards: true,
            cluster: [1; 3],
            zero_fill: false,
            slice: 100,
            step_limit: 2_000_000_000,
            trace: None,
        }
    }
}

/// What a launch did.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Executed by all waves together.
    pub instructions: u64,
    pub waves: u64,
}

/// A processor with memory.
pub struct Device {
    target: Target,
    family: Family,
    memory: Memory,
    pub options: Options,
    /// What the lane of [`Options::trace`] has executed, in order.
    pub trace: Vec<Executed>,
}

/// A code object in the device's memory.
pub struct Module {
    object: CodeObject,
    base: u64,
}

impl Module {
    pub fn object(&self) -> &CodeObject {
        &self.object
    }

    /// Device address of an exported variable, and its size.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        let symbol = self.object.symbols.iter().find(|s| s.name == name && s.kind == object::SymbolKind::Object)?;
        Some((self.base + symbol.address, symbol.size))
    }
}

impl Device {
    /// Fails for a processor whose kernel descriptors we cannot read.
    pub fn new(target: &Target) -> Result<Device, Box<Fault>> {
        let machine = target.processor().machine;
        let family = Family::of_machine(machine)
            .ok_or_else(|| Fault::launch(format!("no descriptor layout is known for {target}")))?;
        Ok(Device { target: target.clone(), family, memory: Memory::new(), options: Options::default(), trace: vec![] })
    }

    /// Address of new memory with this content.
    pub fn alloc(&mut self, name: &str, content: Vec<u8>) -> u64 {
        self.memory.alloc(name, content, true)
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Box<Fault>> {
        self.memory.host_write(address, bytes)
    }

    pub fn read(&mut self, address: u64, bytes: usize) -> Result<Vec<u8>, Box<Fault>> {
        self.memory.read(address, bytes).map(<[u8]>::to_vec)
    }

    /// Loads a code object as the HSA loader does.
    pub fn load(&mut self, bytes: &[u8]) -> Result<Module, Box<Fault>> {
        let object = object::read(bytes).map_err(|e| Fault::launch(e.to_string()))?;
        if object.machine != self.target.processor().machine {
            return Err(Fault::launch(format!("the object is for {}, the device is {}", object.target, self.target)));
        }
        let image_end = object.segments.iter().map(|s| s.address + s.memory_bytes).max().unwrap_or(0);
        if image_end > 1 << 30 {
            return Err(Fault::launch("the image has more than 1 GiB"));
        }
        let parts = object
            .segments
            .iter()
            .map(|s| {
                let mut content = s.bytes.clone();
                content.resize(s.memory_bytes as usize, 0);
                (s.address, content, s.writable)
            })
            .collect();
        let base = self.memory.alloc_image("the code object", IMAGE_BELOW_SLOT, parts);
        for relocation in &object.relocations {
            let Some(symbol) = relocation.symbol_address else {
                return Err(Fault::launch(format!("symbol `{}` is undefined", relocation.symbol)));
            };
            let value = base.wrapping_add(symbol).wrapping_add(relocation.addend as u64);
            let bytes = value.to_le_bytes();
            let count = if relocation.kind == RelocationKind::Abs32 { 4 } else { 8 };
            self.memory.host_write(base + relocation.address, &bytes[..count])?;
        }
        Ok(Module { object, base })
    }

    /// Runs `kernel` over `grid` work-groups of `block` work-items. `args` are the bytes of the kernarg segment up to the
    /// hidden arguments, which are filled in as the metadata lists them.
    pub fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_lds_bytes: u32,
        args: &[u8],
    ) -> Result<Stats, Box<Fault>> {
        let name = kernel;
        let named = |mut fault: Box<Fault>| {
            fault.kernel = name.to_owned();
            fault
        };
        let kernel = module
            .object
            .kernel(name)
            .ok_or_else(|| named(Fault::launch("the code object has no kernel of this name")))?;
        let launch = Launch { grid, block, dynamic_lds_bytes };
        self.launch_kernel(module, kernel, &launch, args).map_err(named)
    }

    fn launch_kernel(
        &mut self,
        module: &Module,
        kernel: &Kernel,
        launch: &Launch,
        args: &[u8],
    ) -> Result<Stats, Box<Fault>> {
        let descriptor = Descriptor::unpack(&kernel.descriptor, self.family);
        self.check_launch(kernel, &descriptor, launch)?;
        let apertures = Apertures {
            shared: 0x0001_0000_0000_0000,
            private: 0x0002_0000_0000_0000,
            flat_scratch: (self.family == Family::Gfx125).then_some(0x0400_7f12_ffff_ff00),
        };
        let kernarg_bytes = kernarg(kernel, launch, args, &apertures)?;
        let packet_bytes = dispatch_packet(&descriptor, launch);
        let kernarg = self.memory.alloc("the kernarg segment", kernarg_bytes.clone(), false);
        let packet = self.memory.alloc("the dispatch packet", packet_bytes, false);
        let queue = self.memory.alloc("the queue", vec![0; 64], false);

        let pointers = Pointers { kernarg, kernarg_bytes, packet, queue };
        let result = self.run_grid(module, kernel, &descriptor, launch, apertures, &pointers);
        for address in [kernarg, packet, queue] {
            self.memory.free(address);
        }
        result
    }

    fn run_grid(
        &mut self,
        module: &Module,
        kernel: &Kernel,
        descriptor: &Descriptor,
        launch: &Launch,
        apertures: Apertures,
        pointers: &Pointers,
    ) -> Result<Stats, Box<Fault>> {
        let entry = module.base + kernel.entry_address;
        let segment = module
            .object
            .segments
            .iter()
            .find(|s| s.executable && kernel.entry_address.wrapping_sub(s.address) < s.bytes.len() as u64)
            .ok_or_else(|| Fault::launch("the kernel's entry is in no executable segment"))?;
        let code_base = module.base + segment.address;
        let bytes = self.memory.read(code_base, segment.bytes.len())?.to_vec();
        if self.options.check_hazards {
            self.check_hazards(kernel, descriptor, &bytes[(entry - code_base) as usize..])?;
        }
        let mut code = Code::new(code_base, bytes, entry, self.register_file(descriptor));

        let items = launch.block.iter().product::<u32>();
        let lanes = self.target.wave_lanes();
        let wave_count = items.div_ceil(lanes);
        let scratch_base = (!self.family.has_architected_scratch()).then_some(apertures.private);
        let lds_bytes = (descriptor.lds_bytes + launch.dynamic_lds_bytes) as usize;
        let mut stats = Stats::default();
        let [gx, gy, gz] = launch.grid;
        let groups = (0..gz).flat_map(|z| (0..gy).flat_map(move |y| (0..gx).map(move |x| [x, y, z])));
        for group in groups {
            let traced = self.options.trace;
            let fill = if self.options.zero_fill { None } else { Some(garbage_seed(group)) };
            let mut machine = Machine {
                target: &self.target,
                family: self.family,
                memory: &mut self.memory,
                apertures,
                lds: filled(lds_bytes, fill),
                scratch_bytes: descriptor.scratch_bytes,
                scratch_base,
                check_waits: self.options.check_waits,
                in_cluster: self.options.cluster != [1; 3],
                barrier: Barrier::new(wave_count),
                changes: 0,
                trace: traced.filter(|t| t.group == group).map(|t| (t, &mut self.trace)),
            };
            let mut waves: Vec<Wave> = (0..wave_count)
                .map(|number| {
                    let place = Place { group, cluster: self.options.cluster, number };
                    start_wave(&machine, descriptor, launch, pointers, &code, place, fill)
                })
                .collect();
            let budget = self.options.step_limit - stats.instructions;
            let slice = self.options.slice.max(1);
            stats.instructions += machine.run(&mut waves, &mut code, slice, budget).map_err(|mut fault| {
                if let FaultKind::StepLimit(limit) = &mut fault.kind {
                    *limit = self.options.step_limit;
                }
                fault.wave = Some((group, fault.wave.map_or(0, |w| w.1)));
                fault
            })?;
            stats.waves += wave_count as u64;
        }
        Ok(stats)
    }

    /// The judge of finished code over all of the kernel. What it cannot read it says nothing of: that is never reached, or will be a fault.
    fn check_hazards(&self, kernel: &Kernel, descriptor: &Descriptor, code: &[u8]) -> Result<(), Box<Fault>> {
        let code = &code[..code.len().min(kernel.code_bytes as usize)];
        let Ok(steps) = hazard::read(code, &self.target) else { return Ok(()) };
        let vgprs = self.register_file(descriptor).vgprs;
        hazard::check(&steps, vgprs.into(), &self.target).map_err(|found| {
            let mut fault = Fault::new(FaultKind::Hazard(format!("hazard: {}", found.rule)));
            fault.code_offset = Some(found.offset.into());
            fault.instruction = Some(super::code::text(&steps[found.at].inst, &self.target));
            fault
        })
    }

    fn register_file(&self, descriptor: &Descriptor) -> RegisterFile {
        let allocated = descriptor.vgprs_allocated(self.family) as u16;
        let (vgprs, agprs) = if self.family.has_unified_agprs() {
            let first = ((descriptor.accum_offset as u16 + 1) * 4).min(allocated);
            (first, allocated - first)
        } else if self.family == Family::Gfx908 {
            (allocated, allocated)
        } else {
            (allocated, 0)
        };
        let sgprs = if self.family.is_gfx9() {
            // VCC and what else the wave has lie above the highest that the kernel names, wherever that is.
            (descriptor.sgpr_granules as u16 + 1) * 8
        } else {
            slot::VCC
        };
        RegisterFile { vgprs, agprs, sgprs: sgprs.min(slot::VCC) }
    }

    /// What a runtime or the hardware would refuse.
    fn check_launch(&self, kernel: &Kernel, descriptor: &Descriptor, launch: &Launch) -> Result<(), Box<Fault>> {
        let fail = |message: String| Err(Fault::launch(message));
        let metadata = &kernel.metadata;
        let items = launch.block.iter().fold(1u64, |items, &n| items.saturating_mul(n as u64));
        if launch.block.contains(&0) || launch.grid.contains(&0) {
            return fail(format!("grid {:?} or block {:?} has a zero", launch.grid, launch.block));
        }
        let most = metadata.max_flat_workgroup_size.min(1024) as u64;
        if launch.block.iter().any(|&n| n as u64 > most) || items > most {
            return fail(format!("a work-group of {items} work-items is more than the kernel's {most}"));
        }
        let cluster = self.options.cluster;
        let fits = |axis: usize| (1..=16).contains(&cluster[axis]) && launch.grid[axis].is_multiple_of(cluster[axis]);
        if cluster != [1; 3] && (self.family != Family::Gfx125 || !(0..3).all(fits)) {
            return fail(format!("a grid of {:?} in clusters of {cluster:?} on {}", launch.grid, self.target));
        }
        if metadata.reqd_workgroup_size.is_some_and(|reqd| reqd != launch.block) {
            return fail(format!(
                "the kernel requires blocks of {:?}",
                metadata.reqd_workgroup_size.unwrap_or_default()
            ));
        }
        if launch.grid.iter().zip(&launch.block).any(|(&g, &b)| g as u64 * b as u64 > u32::MAX as u64) {
            return fail(format!("the grid {:?} has more than 2^32 - 1 work-items in one dimension", launch.grid));
        }
        let lds = descriptor.lds_bytes as u64 + launch.dynamic_lds_bytes as u64;
        let most_lds = self.target.processor().lds_bytes as u64;
        if lds > most_lds {
            return fail(format!("the work-group needs {lds} bytes of LDS, {} has {most_lds}", self.target));
        }
        let lanes = items.next_multiple_of(self.target.wave_lanes() as u64);
        if descriptor.scratch_bytes as u64 * lanes > MAX_SCRATCH_BYTES || descriptor.kernarg_bytes > MAX_KERNARG_BYTES {
            return fail(format!(
                "{} bytes of scratch for each of {items} work-items and {} bytes of arguments are more than is emulated",
                descriptor.scratch_bytes, descriptor.kernarg_bytes
            ));
        }
        let sizes = [
            ("group_segment_fixed_size", descriptor.lds_bytes, metadata.group_segment_fixed_size),
            ("private_segment_fixed_size", descriptor.scratch_bytes, metadata.private_segment_fixed_size),
            ("kernarg_segment_size", descriptor.kernarg_bytes, metadata.kernarg_segment_size),
            ("wavefront_size", self.target.wave_lanes(), metadata.wavefront_size),
        ];
        for (what, ours, theirs) in sizes {
            if ours != theirs {
                return fail(format!("descriptor and metadata disagree on {what}: {ours} and {theirs}"));
            }
        }
        if self.target.wave_lanes() == 32 && !descriptor.wave32 {
            return fail("the descriptor asks for wave64, which is not modelled on this processor".into());
        }
        self.check_registers(descriptor, items)
    }

    fn check_registers(&self, descriptor: &Descriptor, items: u64) -> Result<(), Box<Fault>> {
        let fail = |message: String| Err(Fault::launch(message));
        let needed = descriptor.user_sgprs_needed();
        let user = descriptor.user_sgpr_count;
        let most_user = if self.family == Family::Gfx125 { 32 } else { 16 };
        if user < needed || user > most_user {
            return fail(format!("user_sgpr_count is {user}, the enabled user SGPRs are {needed} of {most_user}"));
        }
        if self.target.has(Feature::Sgpr16Minimum) {
            let system = [descriptor.workgroup_id_x, descriptor.workgroup_id_y, descriptor.workgroup_id_z]
                .iter()
                .filter(|&&on| on)
                .count() as u32
                + descriptor.workgroup_info as u32;
            if user + system < 16 {
                return fail(format!(
                    "{} needs 16 user and system SGPRs in wave32 or work-group ids arrive wrong; there are {}",
                    self.target,
                    user + system
                ));
            }
        }
        // Waves are spread over four SIMDs; a SIMD holds what 1024 work-items may use.
        let lanes = self.target.wave_lanes() as u64;
        let on_simd = |items: u64| items.div_ceil(lanes).div_ceil(4);
        let budget = self.target.processor().vgprs_at_1024 as u64 * on_simd(1024);
        let granule = self.target.processor().vgpr_allocation_granule as u64;
        let wanted = (descriptor.vgprs_allocated(self.family) as u64).next_multiple_of(granule);
        if wanted * on_simd(items) > budget {
            return fail(format!(
                "{wanted} VGPRs do not fit a work-group of {items} work-items on {}: {} would",
                self.target,
                budget / on_simd(items)
            ));
        }
        Ok(())
    }
}

struct Launch {
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_lds_bytes: u32,
}

struct Pointers {
    kernarg: u64,
    kernarg_bytes: Vec<u8>,
    packet: u64,
    queue: u64,
}

fn garbage_seed(group: [u32; 3]) -> u64 {
    group.iter().fold(0, |seed, &n| seed.wrapping_mul(1_000_003).wrapping_add(n as u64))
}

fn filled(bytes: usize, seed: Option<u64>) -> Vec<u8> {
    match seed {
        None => vec![0; bytes],
        Some(seed) => {
            let words = (0..bytes.div_ceil(4) as u64).flat_map(|i| garbage(seed << 32 ^ i).to_le_bytes());
            words.take(bytes).collect()
        }
    }
}

/// The kernarg segment: explicit arguments, then the hidden ones that the metadata lists.
fn kernarg(kernel: &Kernel, launch: &Launch, args: &[u8], apertures: &Apertures) -> Result<Vec<u8>, Box<Fault>> {
    let size = kernel.metadata.kernarg_segment_size as usize;
    if args.len() > size {
        let message = format!("{} bytes of arguments for a kernarg segment of {size}", args.len());
        return Err(Fault::launch(message));
    }
    let mut bytes = args.to_vec();
    bytes.resize(size, 0);
    let dims = if launch.grid[2] * launch.block[2] > 1 {
        3
    } else if launch.grid[1] * launch.block[1] > 1 {
        2
    } else {
        1
    };
    let axis = |name: &str| match name.as_bytes().last() {
        Some(b'y') => 1,
        Some(b'z') => 2,
        _ => 0,
    };
    for arg in kernel.metadata.args.iter().filter(|a| a.is_hidden()) {
        let kind = arg.value_kind.as_str();
        let value: u64 = match kind {
            "hidden_block_count_x" | "hidden_block_count_y" | "hidden_block_count_z" => launch.grid[axis(kind)] as u64,
            "hidden_group_size_x" | "hidden_group_size_y" | "hidden_group_size_z" => launch.block[axis(kind)] as u64,
            "hidden_grid_dims" => dims,
            "hidden_dynamic_lds_size" => launch.dynamic_lds_bytes as u64,
            "hidden_private_base" => apertures.private >> 32,
            "hidden_shared_base" => apertures.shared >> 32,
            // No partial groups, no offset, and none of the services behind the rest.
            "hidden_remainder_x"
            | "hidden_remainder_y"
            | "hidden_remainder_z"
            | "hidden_global_offset_x"
            | "hidden_global_offset_y"
            | "hidden_global_offset_z"
            | "hidden_none"
            | "hidden_printf_buffer"
            | "hidden_hostcall_buffer"
            | "hidden_multigrid_sync_arg"
            | "hidden_heap_v1"
            | "hidden_default_queue"
            | "hidden_completion_action"
            | "hidden_queue_ptr" => 0,
            other => return Err(Fault::launch(format!("hidden argument `{other}` is unknown"))),
        };
        let (offset, count) = (arg.offset as usize, arg.size as usize);
        let Some(place) = bytes.get_mut(offset..offset.saturating_add(count)).filter(|p| p.len() <= 8) else {
            return Err(Fault::launch(format!("hidden argument `{kind}` lies outside the kernarg segment")));
        };
        place.copy_from_slice(&value.to_le_bytes()[..count]);
    }
    Ok(bytes)
}

/// The AQL kernel dispatch packet, as far as kernels read it.
fn dispatch_packet(descriptor: &Descriptor, launch: &Launch) -> Vec<u8> {
    let mut packet = vec![0; 64];
    packet[2] = 3;
    for axis in 0..3 {
        packet[4 + 2 * axis..6 + 2 * axis].copy_from_slice(&(launch.block[axis] as u16).to_le_bytes());
        let items = launch.grid[axis] * launch.block[axis];
        packet[12 + 4 * axis..16 + 4 * axis].copy_from_slice(&items.to_le_bytes());
    }
    packet[24..28].copy_from_slice(&descriptor.scratch_bytes.to_le_bytes());
    let lds = descriptor.lds_bytes + launch.dynamic_lds_bytes;
    packet[28..32].copy_from_slice(&lds.to_le_bytes());
    packet
}

/// Which wave of which work-group of which cluster.
#[derive(Copy, Clone)]
struct Place {
    group: [u32; 3],
    cluster: [u32; 3],
    number: u32,
}

/// A wave as the hardware starts it.
fn start_wave(
    machine: &Machine,
    descriptor: &Descriptor,
    launch: &Launch,
    pointers: &Pointers,
    code: &Code,
    place: Place,
    fill: Option<u64>,
) -> Wave {
    let (target, family) = (machine.target, machine.family);
    let Place { group, cluster, number } = place;
    let lanes = target.wave_lanes();
    let items = launch.block.iter().product::<u32>();
    let first_item = number * lanes;
    let active = (items - first_item).min(lanes);
    let seed = fill.map(|seed| seed << 24 ^ (number as u64) << 16);
    let registers = (code.file.vgprs + code.file.agprs) as u64 * lanes as u64;
    let word = |index: u64| seed.map_or(0, |seed| garbage(seed << 20 ^ index));
    let mut wave = Wave {
        number,
        lanes,
        pc: code.entry,
        vgprs: (0..registers).map(word).collect(),
        scalars: std::array::from_fn(|index| word(index as u64 + (1 << 19))),
        scc: word(1 << 18) & 1 == 1,
        mode: descriptor.round_f32
            | descriptor.round_f64 << 2
            | descriptor.denorm_f32 << 4
            | descriptor.denorm_f64 << 6
            | (descriptor.dx10_clamp as u32) << 8
            | (descriptor.ieee as u32) << 9,
        scratch: filled(lanes as usize * descriptor.scratch_bytes as usize, seed),
        waits: Waits::default(),
        ended: false,
        signalled: None,
        waiting: false,
        instructions: 0,
    };
    // gfx12 and later have neither bit, and behave as with DX10_CLAMP set.
    if matches!(family, Family::Gfx12 | Family::Gfx125) {
        wave.mode |= 1 << 8;
    }
    let mask = if active == 64 { u64::MAX } else { (1u64 << active) - 1 };
    wave.set_mask(slot::EXEC, mask);
    if lanes == 32 {
        wave.scalars[slot::EXEC as usize + 1] = 0;
    }

    // User SGPRs in their fixed order, then the system's behind `user_sgpr_count`.
    let scratch_offset = machine.scratch_wave_offset(number);
    let mut user: Vec<u32> = vec![];
    let pair = |value: u64| [value as u32, (value >> 32) as u32];
    if descriptor.user_private_segment_buffer {
        user.extend(pair(machine.apertures.private));
        user.extend([u32::MAX, 0x00e0_0000]);
    }
    if descriptor.user_dispatch_ptr {
        user.extend(pair(pointers.packet));
    }
    if descriptor.user_queue_ptr {
        user.extend(pair(pointers.queue));
    }
    if descriptor.user_kernarg_segment_ptr {
        user.extend(pair(pointers.kernarg));
    }
    if descriptor.user_dispatch_id {
        user.extend([0, 0]);
    }
    if descriptor.user_flat_scratch_init {
        user.extend(pair(machine.scratch_base.unwrap_or(0)));
    }
    if descriptor.user_private_segment_size {
        user.push(descriptor.scratch_bytes);
    }
    let preload = pointers.kernarg_bytes.chunks_exact(4).skip(descriptor.preload_offset as usize);
    user.extend(preload.take(descriptor.preload_length as usize).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
    let mut system: Vec<u32> = vec![];
    if target.has(Feature::TtmpWorkgroupIds) {
        // Of the cluster, if it is one of some; then the place in it, and its size less one, four bits each.
        let of_cluster: [u32; 3] = std::array::from_fn(|axis| group[axis] / cluster[axis]);
        let nibbles = |shift: u32, value: &dyn Fn(usize) -> u32| {
            (0..3).fold(0, |word, axis| word | value(axis) << (shift + 4 * axis as u32))
        };
        wave.scalars[slot::TTMP as usize + 9] = of_cluster[0];
        wave.scalars[slot::TTMP as usize + 7] = of_cluster[1] | of_cluster[2] << 16;
        wave.scalars[slot::TTMP as usize + 6] =
            nibbles(0, &|axis| group[axis] % cluster[axis]) | nibbles(12, &|axis| cluster[axis] - 1);
    } else {
        let enabled = [descriptor.workgroup_id_x, descriptor.workgroup_id_y, descriptor.workgroup_id_z];
        system.extend(group.iter().zip(enabled).filter(|(_, on)| *on).map(|(id, _)| *id));
        if descriptor.workgroup_info {
            system.push(number);
        }
        if descriptor.private_segment && !family.has_architected_scratch() {
            system.push(scratch_offset as u32);
        }
    }
    wave.scalars[..user.len()].copy_from_slice(&user);
    let start = descriptor.user_sgpr_count as usize;
    wave.scalars[start..start + system.len()].copy_from_slice(&system);

    for lane in 0..active {
        let item = first_item + lane;
        let [bx, by, _] = launch.block;
        let id = [item % bx, item / bx % by, item / bx / by];
        if target.has(Feature::PackedWorkitemIds) {
            wave.set_vgpr(0, lane, id[0] | id[1] << 10 | id[2] << 20);
        } else {
            for axis in 0..=descriptor.workitem_ids.min(2) as u16 {
                if axis < code.file.vgprs {
                    wave.set_vgpr(axis, lane, id[axis as usize]);
                }
            }
        }
    }
    wave
}
