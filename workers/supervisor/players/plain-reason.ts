/** What vanilla would put a list of players or of all entities in the place of (minecraft.wiki, "Target selectors"). */
const SELECTOR = /@(?=[A-Za-z])/g;
/** Begins a formatting code: a reason could look like another message. */
const SECTION_SIGN = /\u00a7/g;
/** Ends of lines that are no control characters. */
const SEPARATORS = /[\u2028\u2029]/g;

/** A reason as text and nothing else: without formatting codes, its selectors with an @ that is none to a server. */
export function plainReason(reason: string): string {
  return reason.toWellFormed().replace(SECTION_SIGN, '').replace(SEPARATORS, ' ').replace(SELECTOR, '\uff20').trim();
}
