import { readFileSync, writeFileSync } from 'node:fs';

/** Flips a bit in the middle of a file, as a failing disk would. */
export function damage(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
}
