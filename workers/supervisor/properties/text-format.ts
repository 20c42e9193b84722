/** The syntax of a properties file. */
export interface TextFormat {
  /** Returns the values by key. Throws if the text cannot be parsed. */
  parse(text: string): Record<string, string>;
  /** Returns the text with the changes. Everything else stays, including comments, order and line ends. */
  withChanges(text: string, changes: Readonly<Record<string, string>>): string;
  /** Returns what is wrong with a key or its value, as a sentence without a full stop, or `undefined`. */
  problemOf(key: string, value: string): string | undefined;
}
