import { createContext, useContext } from 'react';
import type { Language } from './languages.ts';

const STORED = 'gamekeeper.language';

export interface LanguageChoice {
  language: Language;
  choose: (language: Language) => void;
}

export const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext);
}

/** What was chosen before, else what the browser asks for, else English. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(STORED), ...navigator.languages].map((tag) => tag?.slice(0, 2));
  return wanted.find((tag): tag is Language => tag === 'en' || tag === 'de' || tag === 'zh') ?? 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
  // Which of the two scripts: glyphs differ.
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
}
