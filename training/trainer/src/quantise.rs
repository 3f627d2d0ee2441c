//! From floating point to the engine's integers and back. [`scales`](crate::scales) has the numbers.

use crate::net::Net;
use crate::scales::{ACTIVATION, AFFINE, AffineScale, integer, rounded};
use monomi_eval::DEFAULT_FV_SCALE;
use monomi_eval::network::{NetworkFile, padded};
use rayon::prelude::*;

impl Net {
    /// The network as the engine stores it. Values outside the integers' range, which training
    /// never produces, are clamped.
    pub fn quantised(&self) -> NetworkFile {
        let layout = &self.layout;
        let mut file = NetworkFile::zeroed(self.architecture);
        let (bias, weights) = file.transformer_mut();
        let l1 = layout.l1;
        for (neuron, bias) in bias.iter_mut().enumerate() {
            *bias = integer(self.dense[layout.first_bias.start + neuron], ACTIVATION, 0.0) as i16;
        }
        for (row, weights) in weights.chunks_exact_mut(l1).enumerate() {
            for (neuron, weight) in weights.iter_mut().enumerate() {
                let own = self.rows[layout.row_index(row, neuron)];
                let shared = layout.shared.row(row);
                let value =
                    own + shared.map_or(0.0, |row| self.rows[layout.row_index(row, neuron)]);
                *weight = integer(value, ACTIVATION, 0.0) as i16;
            }
        }
        let layers = layout.stacks.iter().zip(&mut file.stacks);
        let layers = layers.flat_map(|(stack, stored)| stack.iter().zip(stored).enumerate());
        let sizes = self.architecture.affine_sizes();
        for (i, (layer, stored)) in layers {
            let scale = AFFINE[i];
            let (inputs, _) = sizes[i];
            let weights = &self.dense[layer.weights.clone()];
            let bias = &self.dense[layer.bias.clone()];
            for (output, stored_bias) in stored.bias.iter_mut().enumerate() {
                *stored_bias = integer(bias[output], scale.bias, scale.offset) as i32;
                let row = &mut stored.weights[output * padded(inputs)..][..inputs];
                for (input, stored) in row.iter_mut().enumerate() {
                    let value = weights[input * layer.outputs + output];
                    *stored = integer(value, scale.weight, 0.0) as i8;
                }
            }
        }
        if layout.paired {
            // Other programs and the reader assume another FV_SCALE for this family.
            file.info.stated_fv_scale = Some(DEFAULT_FV_SCALE);
        }
        file
    }

    /// Sets `to`, a network of the same architecture, to these parameters rounded as
    /// [`quantised`](Self::quantised) rounds them. Rows that inputs share are added to the rows of
    /// the inputs first and are zero in `to`.
    pub fn round_into(&self, to: &mut Self) {
        let layout = &self.layout;
        let shared = layout.shared;
        let block = layout.rows * crate::kernels::BLOCK;
        let blocks = to.rows.par_chunks_mut(block).zip(self.rows.par_chunks(block));
        blocks.for_each(|(to, from)| {
            let (to, to_shared) = to.split_at_mut(shared.first * crate::kernels::BLOCK);
            let (from, from_shared) = from.split_at(to.len());
            to_shared.fill(0.0);
            if from_shared.is_empty() {
                round_all(to, from, ACTIVATION, 0.0);
                return;
            }
            for (to, from) in to.chunks_mut(from_shared.len()).zip(from.chunks(from_shared.len())) {
                for ((to, own), common) in to.iter_mut().zip(from).zip(from_shared) {
                    *to = rounded(own + common, ACTIVATION, 0.0);
                }
            }
        });
        let first = layout.first_bias.clone();
        round_all(&mut to.dense[first.clone()], &self.dense[first], ACTIVATION, 0.0);
        let layers = layout.stacks.iter().flat_map(|stack| stack.iter().zip(AFFINE));
        for (layer, AffineScale { weight, bias, offset }) in layers {
            let (weights, biases) = (layer.weights.clone(), layer.bias.clone());
            round_all(&mut to.dense[weights.clone()], &self.dense[weights], weight, 0.0);
            round_all(&mut to.dense[biases.clone()], &self.dense[biases], bias, offset);
        }
    }

    /// The network in a file, with rounded parameters.
    pub fn from_file(mut file: NetworkFile) -> Self {
        let mut net = Self::zeroed(file.architecture);
        let sizes = net.architecture.affine_sizes();
        let layers = net.layout.stacks.iter().zip(&file.stacks);
        let layers = layers.flat_map(|(stack, stored)| stack.iter().zip(stored).enumerate());
        for (i, (layer, stored)) in layers {
            let scale = AFFINE[i];
            let (inputs, _) = sizes[i];
            for (output, &bias) in stored.bias.iter().enumerate() {
                net.dense[layer.bias.start + output] =
                    ((f64::from(bias) - scale.offset) / scale.bias) as f32;
                let row = &stored.weights[output * padded(inputs)..][..inputs];
                for (input, &weight) in row.iter().enumerate() {
                    net.dense[layer.weights.start + input * layer.outputs + output] =
                        (f64::from(weight) / scale.weight) as f32;
                }
            }
        }
        let (bias, weights) = file.transformer_mut();
        let start = net.layout.first_bias.start;
        for (neuron, &bias) in bias.iter().enumerate() {
            net.dense[start + neuron] = (f64::from(bias) / ACTIVATION) as f32;
        }
        for (row, weights) in weights.chunks_exact(net.layout.l1).enumerate() {
            for (neuron, &weight) in weights.iter().enumerate() {
                let at = net.layout.row_index(row, neuron);
                net.rows[at] = (f64::from(weight) / ACTIVATION) as f32;
            }
        }
        net
    }
}

fn round_all(to: &mut [f32], from: &[f32], scale: f64, offset: f64) {
    to.iter_mut().zip(from).for_each(|(to, &from)| *to = rounded(from, scale, offset));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::data::shared_file;
    use monomi_eval::network::{Architecture, FeatureSet};

    fn bytes(file: &NetworkFile) -> Vec<u8> {
        let mut bytes = Vec::new();
        file.write(&mut bytes).unwrap();
        bytes
    }

    fn round_trip(bytes_before: &[u8]) -> Vec<u8> {
        let file = NetworkFile::read(bytes_before, bytes_before.len() as u64).unwrap();
        bytes(&Net::from_file(file).quantised())
    }

    #[test]
    fn integers_survive_a_round_trip() {
        for features in [FeatureSet::KP, FeatureSet::HalfKP] {
            let architecture = Architecture::plain(features, 64, 8, 40);
            let before = bytes(&Net::random(architecture, 4).quantised());
            assert!(round_trip(&before) == before, "{architecture}");
        }
    }

    #[test]
    fn a_real_network_survives_a_round_trip() {
        let path = "nets/suisho-petite/nn.bin";
        let Some(file) = shared_file(path) else {
            ::tests::report(&format!("skipped: ../shared/{path} is missing"));
            return;
        };
        let before = bytes(&NetworkFile::open(&file).unwrap());
        assert!(round_trip(&before) == before);
    }

    #[test]
    fn rounding_in_training_is_that_of_the_file() {
        for features in [FeatureSet::KP, FeatureSet::HalfKP] {
            let architecture = Architecture::plain(features, 64, 8, 40);
            let mut net = Net::random(architecture, 4);
            // Rows that inputs share are zero in a random network.
            let mut random = monomi_movegen::Random::new(5);
            for weight in net.rows.iter_mut() {
                *weight += 0.01 * crate::net::signed(&mut random);
            }
            let mut found = Net::zeroed(architecture);
            net.round_into(&mut found);
            let expected = Net::from_file(net.quantised());
            assert!(*found.rows == *expected.rows && *found.dense == *expected.dense);
            assert!(*found.rows != *net.rows);
        }
    }

    #[test]
    fn an_average_lies_between_its_networks() {
        let architecture = Architecture::plain(FeatureSet::HalfKP, 32, 8, 8);
        let net = |seed| Net::from_file(Net::random(architecture, seed).quantised());
        let [mut one, mut other] = [net(4), net(5)];
        let mut mean = Net::average(&[net(4), net(5)]).unwrap().quantised();
        let [mut a, mut b] = [&mut one, &mut other].map(|net| net.quantised());
        let between = |a: f64, b: f64, mean: f64| (2.0 * mean - a - b).abs() <= 1.0;
        let rows = [&mut a, &mut b, &mut mean].map(|file| file.transformer_mut().1.to_vec());
        let mut apart = 0;
        for ((&a, &b), &mean) in rows[0].iter().zip(&rows[1]).zip(&rows[2]) {
            assert!(between(a.into(), b.into(), mean.into()), "{a} {b} {mean}");
            apart += usize::from(a != b);
        }
        assert!(apart > 1_000, "{apart}");
        for layer in 0..3 {
            let of = |file: &NetworkFile| file.stacks[0][layer].weights.to_vec();
            for ((&a, &b), &mean) in of(&a).iter().zip(&of(&b)).zip(&of(&mean)) {
                assert!(between(a.into(), b.into(), mean.into()), "{a} {b} {mean}");
            }
        }
        let alone = Net::average(&[net(4)]).unwrap().quantised();
        assert!(bytes(&alone) == bytes(&net(4).quantised()));
    }

    #[test]
    fn an_output_is_scaled_exactly_or_left_unchanged() {
        let architecture = Architecture::plain(FeatureSet::KP, 32, 8, 8);
        let mut net = Net::from_file(Net::random(architecture, 4).quantised());
        let layers = |net: &Net| net.quantised().stacks.remove(0);
        let before = layers(&net);
        let largest = before[2].weights.iter().map(|w| w.unsigned_abs()).max().unwrap();
        assert!((1..=42).contains(&largest), "{largest}");
        net.scale_output(3.0).unwrap();
        let after = layers(&net);
        let tripled = |a: i32, b: i32| b == 3 * a;
        assert!(
            before[2]
                .weights
                .iter()
                .zip(&after[2].weights)
                .all(|(&a, &b)| tripled(a.into(), b.into()))
        );
        assert!(before[2].bias.iter().zip(&after[2].bias).all(|(&a, &b)| tripled(a, b)));
        assert!(before[1].weights == after[1].weights && before[1].bias == after[1].bias);
        let most = net.scale_output(50.0).unwrap_err().most;
        assert!(layers(&net)[2].weights == after[2].weights);
        net.scale_output(most * 0.999).unwrap();
        assert!(layers(&net)[2].weights.iter().any(|w| w.unsigned_abs() == 127));
    }
}
