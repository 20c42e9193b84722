import path from 'node:path';

const KEY_DIGITS = 12;

/** A new path for a folder that is to become an instance's: beside those, on the same disk, and never taken for one. */
export function stagingFolder({
  instances,
  randomHex,
}: {
  /** The folder of the instances' folders. */
  instances: string;
  randomHex(digits: number): string;
}): string {
  return path.join(instances, `.gamekeeper-copy-${randomHex(KEY_DIGITS)}`);
}
