import { expandPath, parseKeyPath, valueAt } from './key-path.ts';
import { type ConfigFormat, typedValue } from './setting.ts';

/** YAML. Comments and order are kept; a file in which nothing differs stays as it is, byte for byte. */
export const yamlFormat: ConfigFormat = {
  async apply(text, settings) {
    const { parseDocument } = await import('yaml');
    const document = parseDocument(text, { keepSourceTokens: true });
    const [error] = document.errors;
    if (error) throw new SyntaxError(error.message.split('\n')[0]);
    let differs = false;
    for (const setting of settings) {
      const value: unknown = document.toJS();
      for (const way of expandPath(value, parseKeyPath(setting.key))) {
        const present = valueAt(value, way);
        const wanted = typedValue(setting, present);
        if (JSON.stringify(present) === JSON.stringify(wanted)) continue;
        document.setIn(way, wanted);
        differs = true;
      }
    }
    if (!differs) return text;
    const written = document.toString({ lineWidth: 0 });
    return text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written;
  },
};
