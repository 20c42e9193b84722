import { PropertiesEditor } from 'properties-file/editor';
import { escapeKey, escapeValue } from 'properties-file/escape';
import type { TextFormat } from './text-format.ts';

/** As java.util.Properties reads it. What is not ASCII is escaped, so that it reads the same in either encoding. */
export const javaFormat: TextFormat = {
  parse: (text) => new PropertiesEditor(text).toObject(),

  /** Where a key stands twice, its last line counts. */
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

  problemOf: () => undefined, // what is odd is escaped
};
