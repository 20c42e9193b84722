import { type ConfigFormat, textsOf } from './setting.ts';

/** Files of any other syntax. A key is the beginning of a line, which is replaced as a whole; a missing one is added at the end. */
export const linesFormat: ConfigFormat = {
  apply(text, settings) {
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
    for (const setting of settings) {
      const wanted = textsOf(setting).join(end);
      const isMeant = (line: string) => line.trimStart().startsWith(setting.key);
      if (!lines.some(isMeant)) lines.push(wanted);
      else for (const [at, line] of lines.entries()) if (isMeant(line)) lines[at] = wanted;
    }
    return lines.length === 0 ? '' : lines.join(end) + end;
  },
};
