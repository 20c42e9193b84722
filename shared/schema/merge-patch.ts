/**
 * JSON Merge Patch (RFC 7396) that ignores values equal to `current`, which is the document with its defaults. So sending back a whole
 * document with one difference stores only that difference.
 */
export function mergePatch(
  document: Record<string, unknown>,
  change: Record<string, unknown>,
  current: Record<string, unknown>,
): Record<string, unknown> {
  // In a map "__proto__" is an ordinary key.
  const merged = new Map(Object.entries(document));
  for (const [key, value] of Object.entries(change)) {
    const present = Object.hasOwn(current, key) ? current[key] : undefined;
    if (value === null) merged.delete(key);
    else if (isSame(value, present)) continue;
    else if (isRecord(value)) merged.set(key, mergePatch(asRecord(merged.get(key)), value, asRecord(present)));
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Equality of JSON values. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element, index) => isSame(element, other[index]))
    );
  if (!isRecord(one) || !isRecord(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], other[key]));
}
