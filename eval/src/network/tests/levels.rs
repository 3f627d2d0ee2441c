//! Every level of vector instructions gives the same integers as the plain code.

use super::{Random, extreme_network, random_network, shape};
use crate::network::kernels::Rows;
use crate::network::{Architecture, FeatureSet, Network, SimdLevel};
use monomi_support::memory::Aligned;

/// Small files only: K+P of every size (the kernels see rows, not features).
fn shapes() -> impl Iterator<Item = Architecture> {
    let plain = [
        (256, 32, 32),
        (512, 16, 32),
        (1024, 8, 32),
        (32, 8, 8),
        (96, 24, 16),
        (160, 40, 56),
        (512, 64, 64),
        (1024, 8, 96),
        (64, 128, 128),
        (96, 128, 1),
    ];
    let paired = [
        (1536, 15, 32, 9),
        (1024, 7, 64, 9),
        (64, 15, 32, 1),
        (192, 7, 96, 1),
        (128, 8, 33, 1),
        (320, 31, 32, 1),
        (256, 64, 128, 1),
        (128, 127, 8, 1),
        (64, 63, 64, 1),
    ];
    let plain = plain.into_iter().map(|(l1, l2, l3)| shape(FeatureSet::KP, l1, l2, l3));
    plain.chain(
        paired
            .into_iter()
            .map(|(l1, l2, l3, stacks)| Architecture::sfnn(FeatureSet::KP, l1, l2, l3, stacks)),
    )
}

/// 16-bit numbers around the interesting bounds; in one accumulator of four nearly all are zero.
fn accumulator(random: &mut Random, width: usize) -> Aligned<i16> {
    let style = random.below(4);
    let number = |_| match style {
        0 => random.next() as i16,
        1 => random.within(300) as i16,
        2 => [i16::MIN, -129, -128, -1, 0, 1, 126, 127, 128, 255, 256, i16::MAX][random.below(12)],
        _ => (random.below(40) == 0) as i16 * random.within(200) as i16,
    };
    (0..width).map(number).collect()
}

#[test]
#[cfg_attr(miri, ignore = "only the plain code is available")]
fn every_simd_level_equals_scalar() {
    let mut random = Random(0xDEAD_BEEF);
    let levels: Vec<_> = SimdLevel::available().collect();
    assert_eq!(levels.last(), Some(&SimdLevel::Scalar));
    for (i, shape) in shapes().enumerate() {
        for make in [random_network, extreme_network] as [fn(_, _) -> _; 2] {
            let of = |level| Network::new(make(shape, 31 + i as u64), level);
            let scalar = of(SimdLevel::Scalar);
            for &level in &levels {
                let network = of(level);
                for _ in 0..60 {
                    let parent = accumulator(&mut random, shape.l1);
                    let other = accumulator(&mut random, shape.l1);
                    let rows = network.rows();
                    let mut input = || random.below(shape.features.inputs()) as u32;
                    let pairs = [(input(), input()), (input(), input()), (input(), input())];
                    let gone: Vec<u32> = (0..9).map(|_| input()).collect();

                    for pairs in [&pairs[..0], &pairs[..1], &pairs[..2], &pairs[..]] {
                        let [mut ours, mut theirs] = [parent.clone(), parent.clone()];
                        // SAFETY: accumulators of the shape's width, and rows of its inputs.
                        unsafe {
                            network.kernels.update(rows, &parent, &mut ours, pairs);
                            scalar.kernels.update(rows, &parent, &mut theirs, pairs);
                        }
                        assert_eq!(*ours, *theirs, "update, {}, {shape}", level.name());
                    }
                    for (gone, come) in
                        [(&gone[..], &[][..]), (&gone[..4], &gone[2..]), (&[], &gone)]
                    {
                        let [mut ours, mut theirs] = [parent.clone(), parent.clone()];
                        network.kernels.apply(rows, &mut ours, gone, come);
                        scalar.kernels.apply(rows, &mut theirs, gone, come);
                        assert_eq!(*ours, *theirs, "apply, {}, {shape}", level.name());
                    }
                    let ours = network.kernels.forward(&network.stacks[0], &parent, &other);
                    let theirs = scalar.kernels.forward(&scalar.stacks[0], &parent, &other);
                    assert_eq!(ours, theirs, "forward, {}, {shape}", level.name());
                }
            }
        }
    }
}

/// Weights of which four products reach the limit of 16 bits, or exceed it.
#[test]
fn sums_at_the_limit_of_16_bits_are_right() {
    let shape = shape(FeatureSet::KP, 32, 8, 8);
    let inputs: Aligned<i16> = std::iter::repeat_n(i16::MAX, shape.l1).collect();
    for (four, fit) in [
        ([127, 127, 2, 2], true),
        ([-127, -127, -2, -2], true),
        ([100, -128, 100, 58], true),
        ([127, 127, 3, 2], false),
        ([2, 3, 127, 127], false),
        ([-128, -128, -3, 0], false),
        ([100, -128, 100, 59], false),
    ] {
        // In a pair of chunks: the first two of both, or the last two.
        let [a, b, c, d] = four;
        for eight in [[a, b, 0, 0, c, d, 0, 0], [0, 0, a, b, 0, 0, c, d]] {
            let file = || {
                let mut file = random_network(shape, 3);
                file.stacks[0][0].weights.as_chunks_mut().0.fill(eight);
                file
            };
            let scalar = Network::new(file(), SimdLevel::Scalar);
            let right = scalar.kernels.forward(&scalar.stacks[0], &inputs, &inputs);
            for level in SimdLevel::available() {
                let network = Network::new(file(), level);
                assert_eq!(network.stacks[0].sums_fit, fit, "{eight:?}");
                let found = network.kernels.forward(&network.stacks[0], &inputs, &inputs);
                assert_eq!(found, right, "{eight:?}, {}", level.name());
            }
        }
    }
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "panics abort")]
#[should_panic(expected = "assertion failed")]
fn rows_outside_the_weights_panic() {
    let shape = shape(FeatureSet::KP, 32, 8, 8);
    let network = Network::new(random_network(shape, 1), SimdLevel::best());
    let mut sums = network.bias.clone();
    let rows = Rows::new(&network.weights, shape.l1);
    network.kernels.apply(rows, &mut sums, &[], &[shape.features.inputs() as u32]);
}
