/** Vanilla replaces a selector by a list of players or entities (minecraft.wiki, "Target selectors"). */
const SELECTOR = /@(?=[A-Za-z])/g;
/** Begins a formatting code, with which a reason could look like another message. */
const SECTION_SIGN = /\u00a7/g;
/** Line ends that are no control characters. */
const SEPARATORS = /[\u2028\u2029]/g;

/**
 * Returns a reason as plain text: without formatting codes, and with a full-width @ in selectors, which servers ignore. `isQuoted`: it is put within
 * quotes, which it then cannot end.
 */
export function plainReason(reason: string, { isQuoted = false } = {}): string {
  const text = reason.toWellFormed().replace(SECTION_SIGN, '').replace(SEPARATORS, ' ').replace(SELECTOR, '\uff20');
  return (isQuoted ? text.replaceAll('"', "'").replaceAll('\\', '/') : text).trim();
}
