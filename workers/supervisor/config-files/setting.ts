/** A value to set. In files with types, text takes the type of the value that it replaces. */
export interface Setting {
  key: string;
  value: SettingValue;
  /** The type for a key that is not in the file yet. */
  type: 'text' | 'number' | 'boolean';
}

export type SettingValue = string | number | boolean | readonly string[];

/** The syntax of a settings file. */
export interface ConfigFormat {
  /**
   * Returns the text with the settings, and everything else as it is: comments, order and, as far as the syntax allows, layout. An empty text
   * is a new file. Throws if the text cannot be parsed. Large parsers are loaded here, since few servers need one.
   */
  apply(text: string, settings: readonly Setting[]): string | Promise<string>;
}

/** Returns what to write for a setting in place of `present`. */
export function typedValue({ value, type }: Setting, present: unknown): string | number | boolean | string[] {
  if (typeof value !== 'string') return Array.isArray(value) ? [...value] : (value as number | boolean);
  const wanted = present === undefined || present === null ? type : typeof present;
  if (wanted === 'number' && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  if (wanted === 'boolean' && /^(?:true|1)$/i.test(value)) return true;
  if (wanted === 'boolean' && /^(?:false|0)$/i.test(value)) return false;
  return value;
}

/** Returns the lines of a list, or the one line of another value. */
export function textsOf({ value }: Setting): string[] {
  return Array.isArray(value) ? [...value] : [String(value)];
}
