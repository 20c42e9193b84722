import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de';
import 'cronstrue/locales/zh_CN';
import type { Language } from '../../../text/languages.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', de: 'de', zh: 'zh_CN' };

/** "At 04:00, only on Monday" for `0 4 * * 1`; `undefined` where that is no time. */
export function cronInWords(cron: string, language: Language): string | undefined {
  try {
    return cronstrue.toString(cron, { locale: LOCALES[language], use24HourTimeFormat: true, verbose: false });
  } catch {
    return undefined; // Still being typed.
  }
}

/** The next times from now on, by the daemon's own reading of cron; empty where it never comes. */
export function upcoming(cron: string, { timeZone, count }: { timeZone: string; count: number }): Date[] {
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(count);
  } catch {
    return []; // Still being typed.
  }
}
