/**
 * Marks the place where a line that is too long was cut, in front of the remark. No clean line contains this character. The rule in
 * `redaction/rules/cut-lines.ts` removes it, with the last bytes before it.
 */
export const CUT_MARK = '\0';

/** The beginning of the remark. */
export const CUT_REMARK = ' [gamekeeper] line cut, ';

/** Returns the remark at the end of a cut line. `characters` is the length of the whole line. */
export function cutRemark(characters: number): string {
  return `${CUT_REMARK}it has ${characters} characters`;
}
