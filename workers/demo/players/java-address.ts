import { isIPv6 } from 'node:net';

/** Formats a socket address like Java 17: IPv6 in brackets, in eight groups without `::`. */
export function javaAddress(ip: string, port: number): string {
  return isIPv6(ip) ? `/[${expandIpv6(ip)}]:${port}` : `/${ip}:${port}`;
}

function expandIpv6(ip: string): string {
  const url = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const [head = '', tail] = url.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].join(':');
}
