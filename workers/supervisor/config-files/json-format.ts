import type { ParseError } from 'jsonc-parser';
import { expandPath, parseKeyPath, valueAt } from './key-path.ts';
import { type ConfigFormat, typedValue } from './setting.ts';

/** JSON, also with comments and trailing commas. */
export const jsonFormat: ConfigFormat = {
  async apply(text, settings) {
    const jsonc = await import('jsonc-parser');
    let changed = text.trim() === '' ? '{}\n' : text;
    for (const setting of settings) {
      const value = read(jsonc, changed);
      for (const way of expandPath(value, parseKeyPath(setting.key))) {
        const present = valueAt(value, way);
        const wanted = typedValue(setting, present);
        if (JSON.stringify(present) === JSON.stringify(wanted)) continue;
        const edits = jsonc.modify(changed, way, wanted, { formattingOptions: layoutOf(changed) });
        changed = jsonc.applyEdits(changed, edits);
      }
    }
    return changed;
  },
};

function read({ parse, printParseErrorCode }: typeof import('jsonc-parser'), text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw new SyntaxError(`${printParseErrorCode(error.error)} at character ${error.offset + 1}`);
  return value;
}

function layoutOf(text: string) {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
