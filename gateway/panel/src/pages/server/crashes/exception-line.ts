/** "	at net.minecraft.Main.main(Main.java:178)", also after a log prefix. */
const FRAME = /(?:^|:)\s*at [\w$.<>/@-]+\(/;
/** What else a stack trace has below its exception. */
const CONTINUED = /(?:^|:)\s*(?:Caused by: |Suppressed: |\.\.\. \d+ more$)/;
const EXCEPTION = /\b[\w.$]*(?:Exception|Error)\b(?::|$)/;
const SEVERE = /\b(?:ERROR|FATAL|SEVERE)\b|\bpanicked at\b|^Traceback \(/;

/** Returns the index of the line where the last stack trace begins, or else of the last error; `undefined` if there is neither. */
export function exceptionLine(lines: readonly string[]): number | undefined {
  let line = lines.findLastIndex((each) => FRAME.test(each));
  while (line >= 0 && (FRAME.test(lines[line]!) || CONTINUED.test(lines[line]!))) line--;
  if (line < 0) line = lines.findLastIndex((each) => EXCEPTION.test(each) || SEVERE.test(each));
  return line < 0 ? undefined : line;
}
