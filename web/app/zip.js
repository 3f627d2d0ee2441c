// An archive in the format ZIP without compression, for small texts.

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum CRC-32 of bytes. */
function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff];
  return (value ^ 0xffffffff) >>> 0;
}

/** Numbers of two or four bytes, the lowest byte first: `[value, bytes]`. */
function numbers(...fields) {
  const bytes = [];
  for (const [value, count] of fields) for (let i = 0; i < count; i++) bytes.push((value >>> (8 * i)) & 0xff);
  return Uint8Array.from(bytes);
}

/** An archive of files `{ name, bytes, date }`, as a Blob. */
export function zip(files) {
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const { name, bytes, date } of files) {
    const text = new TextEncoder().encode(name);
    const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
    const day = (Math.max(0, date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
    // Version 2.0, names in UTF-8, stored.
    const shared = numbers(
      ...[
        [20, 2],
        [0x800, 2],
        [0, 2],
        [time, 2],
        [day, 2],
        [checksum(bytes), 4],
      ],
      ...[
        [bytes.length, 4],
        [bytes.length, 4],
        [text.length, 2],
        [0, 2],
      ],
    );
    const local = [numbers([0x04034b50, 4]), shared, text, bytes];
    parts.push(...local);
    const place = numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
    directory.push(numbers([0x02014b50, 4], [20, 2]), shared, place, text);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers(
    ...[
      [0x06054b50, 4],
      [0, 2],
      [0, 2],
      [files.length, 2],
      [files.length, 2],
    ],
    ...[
      [size, 4],
      [offset, 4],
      [0, 2],
    ],
  );
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
