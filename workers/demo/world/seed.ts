/**
 * Returns the seed for a `level-seed`: a number unchanged, other text by Java's `String.hashCode`, and a random one if it is empty.
 * `random` returns a number from 0 up to, but not including, 1.
 */
export function seedFrom(levelSeed: string, random: () => number): bigint {
  if (levelSeed === '') return BigInt(Math.floor((random() - 0.5) * 2 ** 53));
  if (/^[+-]?\d{1,19}$/.test(levelSeed)) return BigInt.asIntN(64, BigInt(levelSeed.replace('+', '')));
  let hash = 0;
  for (let index = 0; index < levelSeed.length; index += 1) {
    hash = (Math.imul(31, hash) + levelSeed.charCodeAt(index)) | 0;
  }
  return BigInt(hash);
}
