export const LANGUAGES = ['en', 'de', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the first supported language of the given tags, such as "de-AT"; English if there is none. */
export function firstSupported(tags: readonly (string | null)[]): Language {
  const codes = tags.map((tag) => tag?.slice(0, 2));
  return codes.find((code): code is Language => LANGUAGES.some((language) => language === code)) ?? 'en';
}
