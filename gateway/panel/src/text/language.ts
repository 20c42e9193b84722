import { createContext, useContext } from 'react';
import { firstSupported, type Language } from './languages.ts';

const STORED = 'gamekeeper.language';

export interface LanguageChoice {
  language: Language;
  choose: (language: Language) => void;
}

export const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext);
}

/** Returns the language chosen in this browser, or else the first one that the browser prefers. */
export function preferredLanguage(): Language {
  return firstSupported([localStorage.getItem(STORED), ...navigator.languages]);
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
  // Browsers choose the glyphs of Han characters by the script.
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
}
