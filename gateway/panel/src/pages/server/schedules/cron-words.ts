import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de.js';
import 'cronstrue/locales/zh_CN.js';
import type { Language } from '../../../text/languages.ts';
import { fill } from '../../../text/section.ts';
import { schedulesText } from './schedules-text.ts';
import { dayName, simpleTimeOf } from './simple-time.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', de: 'de', zh: 'zh_CN' };

/** Returns a cron expression in words: "Every Monday at 04:00" for `0 4 * * 1`; `undefined` for an invalid one. */
export function describeCron(cron: string, language: Language): string | undefined {
  const words = schedulesText[language];
  const simple = simpleTimeOf(cron);
  switch (simple?.every) {
    case 'hour':
      return simple.minute === 0 ? words.onTheHour : fill(words.hourly, { minute: simple.minute });
    case 'day':
      return fill(words.daily, { time: simple.time });
    case 'week':
      return fill(words.weekly, { day: dayName(Number(simple.day), language), time: simple.time });
    default:
      return describeCustom(cron, language);
  }
}

/** Returns the next runs, computed as the daemon does (croner); empty if there is none or the expression is invalid. */
export function upcoming(cron: string, { timeZone, count }: { timeZone: string; count: number }): Date[] {
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true }).nextRuns(count);
  } catch {
    return [];
  }
}

function describeCustom(cron: string, language: Language): string | undefined {
  try {
    const words = cronstrue.toString(cron, { locale: LOCALES[language], use24HourTimeFormat: true });
    // cronstrue's Chinese has Latin commas, and starts with a preposition that sounds wrong.
    return language === 'zh' ? words.replaceAll(', ', '，').replace(/^在/, '') : words;
  } catch {
    return undefined;
  }
}
