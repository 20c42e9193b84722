import { expandPath, parseKeyPath, type Step, valueAt } from './key-path.ts';
import { type ConfigFormat, typedValue } from './setting.ts';

/** TOML. Comments, order and layout are kept. */
export const tomlFormat: ConfigFormat = {
  async apply(text, settings) {
    const { parse, patch } = await import('@decimalturn/toml-patch');
    const value = parse(text) as Record<Step, unknown>;
    let differs = false;
    for (const setting of settings)
      for (const way of expandPath(value, parseKeyPath(setting.key))) {
        const present = valueAt(value, way);
        const wanted = typedValue(setting, present);
        if (JSON.stringify(present) === JSON.stringify(wanted)) continue;
        setAt(value, way, wanted);
        differs = true;
      }
    return differs ? patch(text, value) : text;
  },
};

function setAt(value: Record<Step, unknown>, way: readonly Step[], wanted: unknown): void {
  let place = value;
  for (const step of way.slice(0, -1)) {
    if (!Object.hasOwn(place, step)) place[step] = {};
    const next = place[step];
    if (typeof next !== 'object' || next === null) throw new SyntaxError(`"${step}" is not a table`);
    place = next as Record<Step, unknown>;
  }
  place[way.at(-1)!] = wanted;
}
