const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Signature and first chunk. Bytes. */
const HEAD = 33;
const WIDTH = 64;
/** Skins before Minecraft 1.8 have half the height. */
const HEIGHTS = [64, 32];

/** Returns whether these bytes begin like a PNG with the size of a skin (PNG, "PNG signature" and "IHDR Image header"). */
export function isSkin(bytes: Buffer): boolean {
  if (bytes.length < HEAD || !bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return false;
  const isHeader = bytes.toString('latin1', 12, 16) === 'IHDR';
  return isHeader && bytes.readUInt32BE(16) === WIDTH && HEIGHTS.includes(bytes.readUInt32BE(20));
}
