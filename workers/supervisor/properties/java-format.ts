import { PropertiesEditor } from 'properties-file/editor';
import { escapeKey, escapeValue } from 'properties-file/escape';
import type { TextFormat } from './text-format.ts';

/** The format of java.util.Properties. Writes non-ASCII characters as escapes, which are the same in both encodings. */
export const javaFormat: TextFormat = {
  parse: (text) => new PropertiesEditor(text).toObject(),

  /** Changes the last line of a key that occurs twice, which is the one that counts. */
  withChanges(text, changes) {
    const editor = new PropertiesEditor(text);
    const missing: string[] = [];
    for (const [key, value] of Object.entries(changes)) {
      const current = editor.getEffectiveProperty(key);
      if (current === undefined) missing.push(`${escapeKey(key, true)}=${escapeValue(value, true)}`);
      else if (current.value !== value) editor.update(key, { newValue: value, escapeUnicode: true });
    }
    const changed = editor.format();
    if (missing.length === 0) return changed;
    const lineEnd = editor.eolCharacter;
    const whole = changed === '' || changed.endsWith(lineEnd) ? changed : changed + lineEnd;
    return `${whole}${missing.join(lineEnd)}${lineEnd}`;
  },

  problemOf: () => undefined, // all characters can be escaped
};
