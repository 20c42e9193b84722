/** The logo is drawn on a square of this side. `public/icon.svg` has the same paths. */
export const MARK_SIZE = 32;

/** A keep with battlements. Its gate is a play sign, cut out by the even-odd rule. */
export const KEEP = 'M7 6h4.5v3.5H14V6h4v3.5h2.5V6H25v8l-2.5 2.5V26h-13v-9.5L7 14Zm6.5 9v8l7-4Z';

/** Returns the logo as an SVG document with the state of the servers, a dot of `dot`'s colour, in a corner. */
export function markWithDot(dot: string): string {
  const size = `viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="32" height="32" rx="8" fill="#3c52cc"/><path d="${KEEP}" fill="#fff" fill-rule="evenodd"/><circle cx="25" cy="25" r="7" fill="${dot}" stroke="#fff" stroke-width="2"/></svg>`;
}
