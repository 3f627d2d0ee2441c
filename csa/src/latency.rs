//! Measured network latency, as values for the time manager's options.

use std::collections::VecDeque;
use std::time::Duration;

/// Number of measurements kept.
const RECENT: usize = 16;
/// Values before the first measurement: the engine's defaults.
const UNKNOWN: Delays = Delays { usual: 120, worst: 1120 };
/// Delay of the machines at both ends in addition to the network, typical and worst.
const BUSY_MS: u64 = 30;
const BUSIEST_MS: u64 = 300;
/// Factor for a packet that is lost and sent again.
const LOST_PACKET: u64 = 10;
/// Upper limit of both options, in milliseconds.
const MOST: Delays = Delays { usual: 1000, worst: 3000 };

/// Values of `NetworkDelay` and `NetworkDelay2`, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delays {
    /// `NetworkDelay`
    pub usual: u64,
    /// `NetworkDelay2`
    pub worst: u64,
}

/// Latencies from sending a line to its confirmation.
#[derive(Debug, Default)]
pub struct Latency {
    recent: VecDeque<Duration>,
}

impl Latency {
    /// Adds a measurement.
    pub fn add(&mut self, time: Duration) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(time);
    }

    /// The option values for the current measurements.
    pub fn delays(&self) -> Delays {
        let Some(longest) = self.recent.iter().max() else { return UNKNOWN };
        let ms = longest.as_millis() as u64 + 1;
        // Rounded to steps, so that the options do not change with every move.
        let step = |ms: u64| ms.div_ceil(10) * 10;
        Delays {
            usual: step(ms + BUSY_MS).min(MOST.usual),
            worst: step(ms * LOST_PACKET + BUSIEST_MS).min(MOST.worst),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_follow_the_longest_recent_time() {
        let mut latency = Latency::default();
        assert_eq!(latency.delays(), UNKNOWN);
        latency.add(Duration::from_millis(49));
        assert_eq!(latency.delays(), Delays { usual: 80, worst: 800 });
        for _ in 0..RECENT {
            latency.add(Duration::from_millis(1));
        }
        assert_eq!(latency.delays(), Delays { usual: 40, worst: 320 });
        latency.add(Duration::from_secs(60));
        assert_eq!(latency.delays(), MOST);
    }
}
