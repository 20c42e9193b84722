import { PropertiesEditor } from 'properties-file/editor';
import { escapeValue } from 'properties-file/escape';

const KEY = 'level-seed';

/** Sets `level-seed` in the text of a `server.properties`. Characters beyond ASCII are escaped, so the encoding does not matter. */
export function withSeed(text: string, seed: string): string {
  const editor = new PropertiesEditor(text);
  if (editor.getEffectiveProperty(KEY)) {
    editor.update(KEY, { newValue: seed, escapeUnicode: true });
    return editor.format();
  }
  const lineEnd = editor.eolCharacter;
  const before = text === '' || text.endsWith(lineEnd) ? text : text + lineEnd;
  return `${before}${KEY}=${escapeValue(seed, true)}${lineEnd}`;
}
