//! Late move reductions by depth and move number.

use crate::params::Params;

/// Base reductions in 1/1024 plies.
pub struct ReductionTable {
    /// Natural logarithms times 1024.
    log: [i32; 256],
}

impl ReductionTable {
    /// Computes the logarithms.
    pub fn new() -> Self {
        let mut log = [0; 256];
        for (n, entry) in log.iter_mut().enumerate().skip(1) {
            *entry = ((n as f64).ln() * 1024.0).round() as i32;
        }
        Self { log }
    }

    /// The product of the logarithms of depth and move number, scaled.
    #[inline(always)]
    pub fn get(&self, params: &Params, depth: i32, move_count: u32) -> i32 {
        let product =
            (self.log[depth.clamp(0, 255) as usize] * self.log[move_count.min(255) as usize]) >> 10;
        (params.lmr_scale * product) >> 10
    }
}
