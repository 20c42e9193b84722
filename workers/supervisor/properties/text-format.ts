/** How the text of a properties file is to be understood. */
export interface TextFormat {
  /** Every key's value. Throws where it cannot be understood. */
  parse(text: string): Record<string, string>;
  /** The text with the changes made; everything else, comments, order and line ends included, is as it was. */
  withChanges(text: string, changes: Readonly<Record<string, string>>): string;
  /** What a key or its value cannot hold, as a sentence without its end; `undefined`: nothing stands in the way. */
  problemOf(key: string, value: string): string | undefined;
}
