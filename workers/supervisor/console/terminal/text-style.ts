/** The attributes that SGR sets (ECMA-48, 8.3.117, and xterm's colours). A new value replaces the old one of the same attribute. */
type Attribute =
  | 'weight'
  | 'faint'
  | 'italic'
  | 'underline'
  | 'blink'
  | 'inverse'
  | 'hidden'
  | 'strike'
  | 'font'
  | 'frame'
  | 'overline'
  | 'colour'
  | 'background'
  | 'lineColour';

const SETS: readonly (readonly [from: number, to: number, attribute: Attribute])[] = [
  [1, 1, 'weight'],
  [2, 2, 'faint'],
  [3, 3, 'italic'],
  [4, 4, 'underline'],
  [5, 6, 'blink'],
  [7, 7, 'inverse'],
  [8, 8, 'hidden'],
  [9, 9, 'strike'],
  [10, 20, 'font'],
  [21, 21, 'underline'],
  [30, 38, 'colour'],
  [40, 48, 'background'],
  [51, 52, 'frame'],
  [53, 53, 'overline'],
  [58, 58, 'lineColour'],
  [90, 97, 'colour'],
  [100, 107, 'background'],
];

const CLEARS: Readonly<Record<string, readonly Attribute[]>> = {
  22: ['weight', 'faint'],
  23: ['italic'],
  24: ['underline'],
  25: ['blink'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['strike'],
  39: ['colour'],
  49: ['background'],
  54: ['frame'],
  55: ['overline'],
  59: ['lineColour'],
};

/** `38;5;n` and `38;2;r;g;b`: number of parameters after the 5 or 2. */
const EXTENDED = new Map([
  ['5', 1],
  ['2', 3],
]);

/**
 * How text looks. A line begins in the style in which the previous line ended, which is unknown: until the first reset, a style
 * only holds the differences from it.
 */
export class TextStyle {
  static readonly inherited = new TextStyle(false, new Map());
  static readonly plain = new TextStyle(true, new Map());

  readonly #isReset: boolean;
  readonly #attributes: ReadonlyMap<Attribute, string>;
  /** The SGR sequence that sets this style; empty for the inherited one. */
  readonly sequence: string;

  private constructor(isReset: boolean, attributes: ReadonlyMap<Attribute, string>) {
    this.#isReset = isReset;
    this.#attributes = attributes;
    const parameters = new Set([...(isReset ? ['0'] : []), ...attributes.values()]);
    this.sequence = parameters.size === 0 ? '' : `\x1b[${[...parameters].join(';')}m`;
  }

  /** Returns the sequence to print between text of style `before` and text of this style. */
  after(before: TextStyle): string {
    if (this.sequence === before.sequence) {
      return '';
    }
    const overrides = [...before.#attributes.keys()].every((attribute) => this.#attributes.has(attribute));
    return this.#isReset || (overrides && !before.#isReset) ? this.sequence : `\x1b[0m${this.sequence}`;
  }

  /** Returns the style after an SGR sequence with these parameters (`1;31`, empty for a reset). */
  with(parameters: string): TextStyle {
    let isReset = this.#isReset;
    let attributes = new Map(this.#attributes);
    const list = parameters.split(';');
    for (let i = 0; i < list.length; i++) {
      const parameter = list[i]!;
      const code = Number.parseInt(parameter, 10) || 0;
      if (code === 0) {
        isReset = true;
        attributes = new Map();
        continue;
      }
      for (const attribute of CLEARS[code] ?? []) {
        attributes.delete(attribute);
        if (!isReset) {
          attributes.set(attribute, String(code));
        }
      }
      const attribute = SETS.find(([from, to]) => code >= from && code <= to)?.[2];
      if (attribute !== undefined) {
        const more =
          code % 10 === 8 && code < 60 && !parameter.includes(':') ? (EXTENDED.get(list[i + 1] ?? '') ?? -1) + 1 : 0;
        attributes.set(attribute, list.slice(i, i + more + 1).join(';'));
        i += more;
      }
    }
    return new TextStyle(isReset, attributes);
  }
}
