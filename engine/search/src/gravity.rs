//! The formula with which entries of histories move.

/// The entry's value after a bonus.
#[inline(always)]
pub fn moved(old: i32, bonus: i32, limit: i32) -> i32 {
    let bonus = bonus.clamp(-limit, limit);
    old + bonus - old * bonus.abs() / limit
}
