import { useLanguage } from './language.ts';

/** Words of one part of the panel in every language, side by side. `{name}` is filled in. */
export interface Section<Key extends string> {
  en: Record<Key, string>;
  de: Record<Key, string>;
  zh: Record<Key, string>;
}

/** Declares the words of a part. A key that a language lacks does not compile. */
export function section<Key extends string>(words: Section<Key>): Section<Key> {
  return words;
}

export type Values = Readonly<Record<string, string | number>>;
export type Words<Key extends string> = (key: Key, values?: Values) => string;

/** The words of a part in the language of whoever looks. */
export function useWords<Key extends string>(words: Section<Key>): Words<Key> {
  const { language } = useLanguage();
  return (key, values) => fill(words[language][key], values);
}

function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
