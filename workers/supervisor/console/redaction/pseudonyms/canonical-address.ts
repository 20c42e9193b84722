/**
 * Returns one spelling for an IP address as the rules find it: without port, brackets and zone, IPv6 in full (RFC 4291, 2.2). An
 * IPv4-mapped IPv6 address becomes the IPv4 address.
 */
export function canonicalAddress(found: string): string {
  if (/^\d+(?:-\d+){3}$/.test(found)) {
    return ipv4(found.replaceAll('-', '.')); // in a host name
  }
  const colon = found.indexOf(':');
  if (colon < 0 || found.indexOf(':', colon + 1) < 0) {
    return ipv4(colon < 0 ? found : found.slice(0, colon));
  }
  const bracketed = /^\[([^\]]+)\]/.exec(found)?.[1];
  return ipv6((bracketed ?? found).replace(/%.*$/, '').toLowerCase());
}

/** Removes leading zeros: `010.000.000.001`. */
function ipv4(address: string): string {
  return /\b0\d/.test(address) ? address.split('.').map(Number).join('.') : address;
}

const GROUPS = 8;

function ipv6(address: string): string {
  const quad = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = quad ? `${quad[1]}${pair(quad[2]!, quad[3]!)}:${pair(quad[4]!, quad[5]!)}` : address;
  const [head = '', tail] = hex.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const known = dropPort(
    tail === undefined ? before : after,
    tail === undefined ? before.length : before.length + after.length,
  );
  const missing = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - known.length);
  const groups = tail === undefined ? known : [...before, ...Array<string>(missing).fill('0'), ...known];
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  const isMapped = numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff;
  if (isMapped) {
    return numbers
      .slice(6)
      .flatMap((number) => [number >> 8, number & 0xff])
      .join('.');
  }
  return numbers.map((number) => number.toString(16)).join(':');
}

/** Java 8 prints the port as a ninth group. A group of five digits is always a port. */
function dropPort(groups: string[], count: number): string[] {
  return count > GROUPS || (groups.at(-1)?.length ?? 0) > 4 ? groups.slice(0, -1) : groups;
}

function pair(high: string, low: string): string {
  return ((Number(high) << 8) | Number(low)).toString(16);
}
