import { useLanguage } from './language.ts';

/** Texts of one part of the panel in every language. `{name}` is replaced by a value. */
export interface Section<Key extends string> {
  en: Record<Key, string>;
  de: Record<Key, string>;
  zh: Record<Key, string>;
}

/** Declares texts. A key that one language lacks does not compile. */
export function section<Key extends string>(words: Section<Key>): Section<Key> {
  return words;
}

export type Values = Readonly<Record<string, string | number>>;
export type Words<Key extends string> = (key: Key, values?: Values) => string;

/** Returns the texts of a section in the user's language. */
export function useWords<Key extends string>(words: Section<Key>): Words<Key> {
  const { language } = useLanguage();
  return (key, values) => fill(words[language][key], values);
}

/** Replaces the placeholders of a text. One without a value stays as it is. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
