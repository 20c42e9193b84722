import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de';
import 'cronstrue/locales/zh_CN';
import { useLanguage } from '../../../text/language.ts';
import type { Language } from '../../../text/languages.ts';
import { useWords } from '../../../text/section.ts';
import { schedulesText } from './schedules-text.ts';
import { dayName, simpleTimeOf } from './simple-time.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', de: 'de', zh: 'zh_CN' };

/** "Every Monday at 04:00" for `0 4 * * 1`; `undefined` where that is no time. */
export function useCronWords(): (cron: string) => string | undefined {
  const t = useWords(schedulesText);
  const { language } = useLanguage();
  return (cron) => {
    const simple = simpleTimeOf(cron);
    switch (simple?.every) {
      case 'hour':
        return simple.minute === 0 ? t('onTheHour') : t('hourly', { minute: simple.minute });
      case 'day':
        return t('daily', { time: simple.time });
      case 'week':
        return t('weekly', { day: dayName(Number(simple.day), language), time: simple.time });
      default:
        return inWords(cron, language);
    }
  };
}

/** The next times from now on, by the daemon's own reading of cron; empty where it never comes. */
export function upcoming(cron: string, { timeZone, count }: { timeZone: string; count: number }): Date[] {
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(count);
  } catch {
    return []; // Still being typed.
  }
}

function inWords(cron: string, language: Language): string | undefined {
  try {
    const words = cronstrue.toString(cron, { locale: LOCALES[language], use24HourTimeFormat: true });
    // Its Chinese has the comma of Latin scripts, and a preposition that nobody would say.
    return language === 'zh' ? words.replaceAll(', ', '，').replace(/^在/, '') : words;
  } catch {
    return undefined; // Still being typed.
  }
}
