/**
 * Returns true if a version of Minecraft is older than another: "1.9" before "1.13" before "26.1". Suffixes ("-rc1") do not count. A
 * snapshot ("24w14a") has no place in this order and is older than nothing.
 */
export function isBelow(version: string, limit: string): boolean {
  // "b1.7.3", "a1.0.4", "rd-132211": older than every release.
  if (/^(?:[abc]\d|rd-|inf-)/.test(version)) return true;
  const mine = numbersOf(version);
  const its = numbersOf(limit);
  if (!mine || !its) return false;
  for (let at = 0; at < Math.max(mine.length, its.length); at++) {
    const difference = (mine[at] ?? 0) - (its[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Returns whether a version has a place in the order of `isBelow`: not a snapshot, and not a name such as "custom". */
export function hasPlace(version: string): boolean {
  return numbersOf(version) !== undefined;
}

/** Returns true for releases: no "-pre1", "-rc2", "-beta", no snapshot. */
export function isRelease(version: string): boolean {
  return /^\d+(?:\.\d+)+$/.test(version);
}

function numbersOf(version: string): number[] | undefined {
  const numbers = /^\d+(?:\.\d+)+/.exec(version)?.[0];
  return numbers?.split('.').map(Number);
}
