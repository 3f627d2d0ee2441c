//! The layout of network files (`nn.bin`), shared by reading and writing.
//!
//! All numbers are little-endian: u32 version, u32 file hash, u32 length of a text, the text. Then
//! for plain networks u32 hash, i16 bias\[L1\], i16 weight\[input\]\[L1\], u32 hash, and for each
//! affine layer i32 bias\[out\], i8 weight\[out\]\[in padded to 32\]. SFNN networks have u32 hash,
//! biases and weights as LEB128 blocks, optional weights of the progress, and for each layer stack
//! u32 hash and its affine layers. Nothing may follow.

/// The usual version of the format.
pub(super) const VERSION: u32 = 0x7AF3_2F16;
/// "NN16": wider weights, an experiment.
pub(super) const VERSION_NN16: u32 = 0x7AF3_2F17;
/// HalfKA networks and nine layer stacks of rshogi and others.
pub(super) const VERSION_NINE: u32 = 0x7AF3_2F20;
/// As [`VERSION_NINE`], the number of stacks follows the text.
pub(super) const VERSION_STACKS: u32 = 0x7AF3_2F21;

/// Longest descriptive text that is accepted, in bytes.
pub(super) const MAX_TEXT: u32 = 1 << 16;
/// Most layer stacks of rshogi's files.
pub(super) const MAX_STATED_STACKS: u32 = 16;

/// Before the first layer of SFNN files.
pub(super) const SFNN_HASH: u32 = 0x5F13_4AB8;
/// Header of SFNN files.
pub(super) const SFNN_FILE_HASH: u32 = 0x3C20_3B32;
/// Before the weights of the progress.
pub(super) const PROGRESS_HASH: u32 = 0x6F50_524F;
/// Before each layer stack.
pub(super) const STACK_HASH: u32 = 0x6333_718A;
