import path from 'node:path';

/** Whether one absolute path is, or is below, another. Links are the caller's concern. */
export function isInside(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}
