//! From floating point to the engine's integers and back.
//!
//! | parameter | integer for 1.0 |
//! |---|---|
//! | first layer, weights and bias | 127 |
//! | hidden weights | 64 |
//! | hidden bias | 127 x 64 |
//! | output weights | 9600 / 127 |
//! | output bias | 9600 = 600 x FV_SCALE 16 |
//!
//! The engine shifts a hidden sum right by 6, which rounds down; half a unit (32) in the bias
//! makes it round to the nearest.

use crate::net::{Net, OUTPUT_UNIT};
use monomi_eval::network::{NetworkFile, padded};

const ACTIVATION: f64 = 127.0;
const HIDDEN: f64 = 64.0;
const OUTPUT: f64 = OUTPUT_UNIT as f64 * 16.0;
/// Half of what the engine's shift drops.
const HALF: f64 = 32.0;

/// Weight of one, bias of one, and what is added to the bias, for each affine layer.
const SCALES: [(f64, f64, f64); 3] = [
    (HIDDEN, ACTIVATION * HIDDEN, HALF),
    (HIDDEN, ACTIVATION * HIDDEN, HALF),
    (OUTPUT / ACTIVATION, OUTPUT, 0.0),
];

/// What parameters may be at most, so that the integers can hold them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// First layer: no sum of 40 rows and the bias overflows 16 bits.
    pub(crate) first: f32,
    /// Weights of each affine layer: 8 bits.
    pub(crate) layers: [f32; 3],
}

pub(crate) const LIMITS: Limits = Limits {
    first: (32767.0 / 127.0 / 41.0) as f32,
    layers: [
        (127.0 / SCALES[0].0) as f32,
        (127.0 / SCALES[1].0) as f32,
        (127.0 / SCALES[2].0) as f32,
    ],
};

fn rounded(value: f32, scale: f64, offset: f64) -> f64 {
    (f64::from(value) * scale + offset).round()
}

impl Net {
    /// The network as the engine holds it. What does not fit is cut to the integers' range, which
    /// training never leaves.
    pub fn quantised(&self) -> NetworkFile {
        let layout = &self.layout;
        let mut file = NetworkFile::zeroed(self.architecture);
        let (bias, weights) = file.transformer_mut();
        let l1 = layout.l1;
        for (neuron, bias) in bias.iter_mut().enumerate() {
            *bias = rounded(self.dense[layout.first_bias.start + neuron], ACTIVATION, 0.0) as i16;
        }
        for (row, weights) in weights.chunks_exact_mut(l1).enumerate() {
            for (neuron, weight) in weights.iter_mut().enumerate() {
                let own = self.rows[layout.row_index(row, neuron)];
                let shared = layout.shared.row(row);
                let value =
                    own + shared.map_or(0.0, |row| self.rows[layout.row_index(row, neuron)]);
                *weight = rounded(value, ACTIVATION, 0.0) as i16;
            }
        }
        let sizes = self.architecture.affine_sizes();
        for (i, (layer, stored)) in layout.layers.iter().zip(&mut file.layers).enumerate() {
            let (weight_scale, bias_scale, offset) = SCALES[i];
            let (inputs, _) = sizes[i];
            let weights = &self.dense[layer.weights.clone()];
            let bias = &self.dense[layer.bias.clone()];
            for (output, stored_bias) in stored.bias.iter_mut().enumerate() {
                *stored_bias = rounded(bias[output], bias_scale, offset) as i32;
                let row = &mut stored.weights[output * padded(inputs)..][..inputs];
                for (input, stored) in row.iter_mut().enumerate() {
                    let value = weights[input * layer.outputs + output];
                    *stored = rounded(value, weight_scale, 0.0) as i8;
                }
            }
        }
        file
    }

    /// The network that a file holds, to go on training it.
    pub fn from_file(mut file: NetworkFile) -> Self {
        let mut net = Self::zeroed(file.architecture);
        let sizes = net.architecture.affine_sizes();
        for (i, (layer, stored)) in net.layout.layers.iter().zip(&file.layers).enumerate() {
            let (weight_scale, bias_scale, offset) = SCALES[i];
            let (inputs, _) = sizes[i];
            for (output, &bias) in stored.bias.iter().enumerate() {
                net.dense[layer.bias.start + output] =
                    ((f64::from(bias) - offset) / bias_scale) as f32;
                let row = &stored.weights[output * padded(inputs)..][..inputs];
                for (input, &weight) in row.iter().enumerate() {
                    net.dense[layer.weights.start + input * layer.outputs + output] =
                        (f64::from(weight) / weight_scale) as f32;
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

    fn there_and_back(bytes_before: &[u8]) -> Vec<u8> {
        let file = NetworkFile::read(bytes_before, bytes_before.len() as u64).unwrap();
        bytes(&Net::from_file(file).quantised())
    }

    #[test]
    fn integers_come_back_as_they_were() {
        for features in FeatureSet::ALL {
            let architecture = Architecture { features, l1: 64, l2: 8, l3: 40 };
            let before = bytes(&Net::random(architecture, 4).quantised());
            assert!(there_and_back(&before) == before, "{architecture}");
        }
    }

    #[test]
    fn a_real_network_comes_back_as_it_was() {
        // Where it is absent, `shared_file` says nothing, so this does.
        let path = "nets/suisho-petite/nn.bin";
        let Some(file) = shared_file(path) else {
            ::tests::report(&format!("skipped: ../shared/{path} is not there"));
            return;
        };
        let before = bytes(&NetworkFile::open(&file).unwrap());
        assert!(there_and_back(&before) == before);
    }

    #[test]
    fn an_average_lies_between() {
        let architecture = Architecture { features: FeatureSet::HalfKP, l1: 32, l2: 8, l3: 8 };
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
            let of = |file: &NetworkFile| file.layers[layer].weights.to_vec();
            for ((&a, &b), &mean) in of(&a).iter().zip(&of(&b)).zip(&of(&mean)) {
                assert!(between(a.into(), b.into(), mean.into()), "{a} {b} {mean}");
            }
        }
        let alone = Net::average(&[net(4)]).unwrap().quantised();
        assert!(bytes(&alone) == bytes(&net(4).quantised()));
    }

    #[test]
    fn an_output_is_scaled_exactly_or_not_at_all() {
        let architecture = Architecture { features: FeatureSet::KP, l1: 32, l2: 8, l3: 8 };
        let mut net = Net::from_file(Net::random(architecture, 4).quantised());
        let layers = |net: &Net| net.quantised().layers;
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
