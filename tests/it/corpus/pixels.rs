//! `07_pixel_rgb.cu`: conversions between pixel layouts.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;

/// Shapes of the two-dimensional kernels: width, height, grid, block.
const IMAGES: [(usize, usize, [u32; 3], [u32; 3]); 4] = [
    (2, 2, [1, 1, 1], [8, 4, 1]),
    (30, 6, [2, 2, 1], [16, 4, 1]),
    (64, 8, [1, 2, 1], [64, 4, 1]),
    (34, 10, [2, 3, 1], [32, 4, 1]),
];

pub fn cases(ptx: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("pixels");
        let n_arg = n as i32;

        // Groups of four pixels.
        let (rgb, old) = (rng.edge_bytes(12 * len), rng.bytes(16 * len));
        let mut after = old.clone();
        for (from, to) in rgb.chunks(3).zip(after.chunks_mut(4)).take(4 * n) {
            to.copy_from_slice(&[from[0], from[1], from[2], 255]);
        }
        cases.push(shape.case("rgb_to_rgba").read(&rgb).write(&old, &after).val(n_arg));

        let (rgba, old) = (rng.edge_bytes(16 * len), rng.bytes(12 * len));
        let mut after = old.clone();
        for (from, to) in rgba.chunks(4).zip(after.chunks_mut(3)).take(4 * n) {
            to.copy_from_slice(&from[..3]);
        }
        cases.push(shape.case("rgba_to_rgb").read(&rgba).write(&old, &after).val(n_arg));

        let old = rng.bytes(4 * len);
        let mut after = old.clone();
        for (from, to) in rgba.chunks(4).zip(after.chunks_mut(4)).take(n) {
            to.copy_from_slice(&[from[2], from[1], from[0], from[3]]);
        }
        cases.push(shape.case("rgba_to_bgra").read(&rgba[..4 * len]).write(&old, &after).val(n_arg));

        let mut planar = shape.case("rgba_to_planar").read(&rgba);
        for channel in 0..4 {
            let old = rng.bytes(4 * len);
            let mut after = old.clone();
            for pixel in 0..4 * n {
                after[pixel] = rgba[4 * pixel + channel];
            }
            planar = planar.write(&old, &after);
        }
        cases.push(planar.val(n_arg));

        let planes: [Vec<u8>; 3] = std::array::from_fn(|_| rng.bytes(len));
        let old = rng.bytes(3 * len);
        let mut after = old.clone();
        for (i, to) in after.chunks_mut(3).take(n).enumerate() {
            to.copy_from_slice(&[planes[0][i], planes[1][i], planes[2][i]]);
        }
        let case = planes.iter().fold(shape.case("planar_to_rgb_bytes"), |case, plane| case.read(plane));
        cases.push(case.write(&old, &after).val(n_arg));

        let old = rng.edge_bytes(4 * len);
        let mut after = old.clone();
        for px in after.chunks_mut(4).take(n) {
            let alpha = u32::from(px[3]);
            for channel in &mut px[..3] {
                *channel = by_alpha(u32::from(*channel), alpha);
            }
        }
        cases.push(shape.case("premultiply_alpha").write(&old, &after).val(n_arg));

        let (packed, old) = (rng.words(len), rng.words(len));
        let packed: Vec<u16> = packed.iter().map(|&w| w as u16).collect();
        let after: Vec<u32> = (0..len).map(|i| if i < n { from_565(packed[i]) } else { old[i] }).collect();
        cases.push(shape.case("rgb565_to_rgba").read(&packed).write(&old, &after).val(n_arg));
    }
    cases.extend(IMAGES.iter().flat_map(|&image| images(ptx, image)));
    cases
}

/// x * alpha / 255 as the source approximates it: the quotient rounded, or one less.
fn by_alpha(x: u32, alpha: u32) -> u8 {
    let product = x * alpha;
    ((product + 128 + product / 256) / 256) as u8
}

/// Widens 5 and 6 bits to 8 by repeating the top bits.
fn from_565(v: u16) -> u32 {
    let widen = |value: u16, bits: u32| (value << (8 - bits) | value >> (2 * bits - 8)) as u8;
    u32::from_le_bytes([widen(v >> 11, 5), widen(v >> 5 & 63, 6), widen(v & 31, 5), 255])
}

fn images(ptx: &Ptx, (w, h, grid, block): (usize, usize, [u32; 3], [u32; 3])) -> Vec<Case> {
    let rng = &mut Rng::of("images");
    let pitch = w + 3;
    let rgba = rng.edge_bytes(4 * pitch * h);
    let gray: Vec<u8> = (0..h)
        .flat_map(|y| (0..w).map(move |x| 4 * (y * pitch + x)))
        .map(|at| {
            let [r, g, b] = [0, 1, 2].map(|k| u32::from(rgba[at + k]));
            ((r * 77 + g * 150 + b * 29 + 128) / 256) as u8
        })
        .collect();
    let case = Case::new_3d("rgba_to_gray", grid, block).note(format!("{w}x{h}")).read(&rgba);
    let gray = case.write(&rng.bytes(w * h), &gray).val(w as i32).val(h as i32).val(pitch as i32);

    let (luma, chroma) = (rng.edge_bytes(w * h), rng.edge_bytes(2 * (w / 2) * (h / 2)));
    let mut out = vec![];
    for y in 0..h {
        for x in 0..w {
            let at = 2 * ((y / 2) * (w / 2) + x / 2);
            out.extend(from_yuv(luma[y * w + x], chroma[at], chroma[at + 1], ptx.fuses()));
        }
    }
    let case = Case::new_3d("nv12_to_rgba", grid, block).note(format!("{w}x{h}")).read(&luma).read(&chroma);
    vec![gray, case.write(&rng.bytes(4 * w * h), &out).val(w as i32).val(h as i32)]
}

/// One pixel of NV12; `fuses` says whether a product and its sum are rounded once.
fn from_yuv(y: u8, u: u8, v: u8, fuses: bool) -> [u8; 4] {
    let y = 1.164 * (f32::from(y) - 16.0);
    let (u, v) = (f32::from(u) - 128.0, f32::from(v) - 128.0);
    let add = |sum: f32, factor: f32, x: f32| if fuses { factor.mul_add(x, sum) } else { sum + factor * x };
    let r = add(y, 1.596, v);
    let g = add(add(y, -0.813, v), -0.391, u);
    let b = add(y, 2.018, u);
    let byte = |x: f32| x.clamp(0.0, 255.0) as u8;
    [byte(r), byte(g), byte(b), 255]
}

#[test]
fn pixel_arithmetic_of_known_values() {
    assert_eq!(from_565(0xf800), 0xff00_00ff);
    assert_eq!(from_565(0x07e0), 0xff00_ff00);
    assert_eq!(from_565(0x001f), 0xffff_0000);
    assert_eq!((by_alpha(255, 255), by_alpha(255, 128), by_alpha(1, 127), by_alpha(1, 128)), (255, 128, 0, 1));
    for x in 0..256 {
        for alpha in 0..256 {
            let rounded: u32 = (2 * x * alpha + 255) / 510;
            assert!((rounded.saturating_sub(1)..=rounded).contains(&by_alpha(x, alpha).into()), "{x} {alpha}");
        }
    }
    assert_eq!(from_yuv(16, 128, 128, true), [0, 0, 0, 255]);
    assert_eq!(from_yuv(235, 128, 128, false), [254, 254, 254, 255]);
}
