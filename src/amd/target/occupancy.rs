//! How many waves run at once.
//!
//! Spec: LLVM's AMDGPUUsage and what llc 22 prints as `; Occupancy:`, which `fixtures/amd/occupancy.txt` records. Waves of a SIMD are limited by its
//! VGPRs, on gfx9 by its SGPRs, and by the LDS and the barriers of the compute unit (or of the pair that a work-group shares, in WGP mode).

use super::{Column, Feature, Target};

/// SIMDs that a work-group spreads over.
const SIMDS: u32 = 4;

/// What a kernel needs.
#[derive(Copy, Clone, Debug)]
pub struct Needs {
    /// VGPRs of a wave, AGPRs included where they are unified.
    pub vgprs: u32,
    /// SGPRs from s0.
    pub sgprs: u32,
    pub lds_bytes: u32,
    /// The smallest and the largest work-group, work-items.
    pub workgroup_items: (u32, u32),
}

impl Target {
    /// Waves of a SIMD that its VGPRs are enough for.
    pub fn waves_by_vgprs(&self, vgprs: u32) -> u32 {
        let row = self.row;
        let granule = u32::from(row.vgpr_allocation_granule);
        (self.vgprs_of_simd() / vgprs.max(1).next_multiple_of(granule)).min(row.max_waves)
    }

    /// VGPRs of a wave with which so many work-groups of a size run on a compute unit at once, as far as it has slots for their waves.
    pub fn vgprs_for_groups(&self, groups: u32, workgroup_items: u32) -> u16 {
        let waves = workgroup_items.clamp(1, 1024).div_ceil(self.row.wave_lanes).saturating_mul(groups);
        let on_simd = waves.div_ceil(SIMDS).clamp(1, self.row.max_waves);
        let granule = u32::from(self.row.vgpr_allocation_granule);
        (self.vgprs_of_simd() / on_simd / granule * granule) as u16
    }

    /// VGPRs that a SIMD has for each lane.
    fn vgprs_of_simd(&self) -> u32 {
        u32::from(self.row.vgprs_at_1024) * (1024 / self.row.wave_lanes).div_ceil(SIMDS)
    }

    fn waves_by_sgprs(&self, sgprs: u32) -> u32 {
        let waves = match self.column() {
            // With VCC, the XNACK mask and FLAT_SCRATCH.
            Column::Gfx9 => match sgprs + 6 {
                0..=80 => 10,
                81..=88 => 9,
                89..=100 => 8,
                _ => 7,
            },
            Column::Gfx10 | Column::Gfx11 | Column::Gfx12 => u32::MAX,
        };
        waves.min(self.row.max_waves)
    }

    /// Waves of a SIMD when as many work-groups run as the rest of the compute unit has room for. Between the two sizes LLVM looks only
    /// at larger work-groups that fill slots beside as many as the smallest would be.
    fn waves_by_groups(&self, needs: &Needs) -> u32 {
        let wgp = self.has(Feature::WgpMode);
        let slots = self.row.max_waves * SIMDS;
        let lds = self.row.lds_bytes * if wgp { 2 } else { 1 };
        let by_lds = lds / needs.lds_bytes.max(1);
        if by_lds == 0 {
            return 1;
        }
        // A work-group of one wave needs no barrier.
        let barriers = if wgp { 32 } else { 16 };
        let groups = |waves: u32| {
            let most = slots / waves;
            (if waves > 1 { most.min(barriers) } else { most }).min(by_lds)
        };
        let waves = |items: u32| items.clamp(1, 1024).div_ceil(self.row.wave_lanes);
        let (least, most) = (waves(needs.workgroup_items.0), waves(needs.workgroup_items.1));
        let (of_least, of_most) = (groups(least) * least, groups(most) * most);
        let of_unit = if of_most >= of_least {
            of_most
        } else {
            let free = slots - of_least;
            of_least + groups(least) * (free / groups(least)).min(most - least)
        };
        of_unit.div_ceil(SIMDS)
    }

    /// Waves that a SIMD runs at once, at best.
    pub fn occupancy(&self, needs: &Needs) -> u32 {
        let by_registers = self.waves_by_vgprs(needs.vgprs).min(self.waves_by_sgprs(needs.sgprs));
        by_registers.min(self.waves_by_groups(needs)).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `.minnctapersm`: as many waves fit as are wanted, and no register more would do.
    #[test]
    fn budgets_for_work_groups() {
        for (name, groups, items, vgprs) in [
            ("gfx906", 4, 256, 64),
            ("gfx906", 100, 1024, 24),
            ("gfx942", 4, 256, 128),
            ("gfx1030", 4, 256, 128),
            ("gfx1100", 4, 256, 192),
            ("gfx1100", 8, 256, 96),
        ] {
            let target = Target::parse(name).expect("in the table");
            assert_eq!(target.vgprs_for_groups(groups, items), vgprs, "{name} {groups} {items}");
        }
        let target = Target::parse("gfx1100").expect("in the table");
        assert_eq!([target.waves_by_vgprs(96), target.waves_by_vgprs(97)], [16, 12]);
    }

    /// Each line: processor, VGPRs, SGPRs, smallest and largest work-group, LDS, and the occupancy that llc 22 prints.
    #[test]
    fn as_llc_prints_it() {
        let mut count = 0;
        for line in include_str!("../../../fixtures/amd/occupancy.txt").lines().filter(|l| !l.starts_with('#')) {
            let fields: Vec<&str> = line.split(' ').collect();
            let [name, numbers @ ..] = &fields[..] else { panic!("{line}") };
            let n: Vec<u32> = numbers.iter().map(|n| n.parse().expect("a number")).collect();
            let [vgprs, sgprs, least, most, lds_bytes, waves] = n[..] else { panic!("{line}") };
            let needs = Needs { vgprs, sgprs, lds_bytes, workgroup_items: (least, most) };
            assert_eq!(Target::parse(name).expect("in the table").occupancy(&needs), waves, "{line}");
            count += 1;
        }
        assert!(count > 1000);
    }
}
