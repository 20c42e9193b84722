import type { Language } from '../../../text/languages.ts';
import { CHINESE } from './chinese.ts';
import { GERMAN } from './german.ts';
import type { ProblemText, ProblemTexts } from './problem-texts.ts';

/** The daemon's own texts are English. */
export const PROBLEMS: Readonly<Record<Exclude<Language, 'en'>, ProblemTexts>> = { de: GERMAN, zh: CHINESE };

/** Returns the texts of an error code; `undefined` in English, and for a code of a later version. */
export function problemText(code: string, language: Language): ProblemText | undefined {
  if (language === 'en' || !Object.hasOwn(PROBLEMS[language], code)) return undefined;
  return PROBLEMS[language][code];
}
