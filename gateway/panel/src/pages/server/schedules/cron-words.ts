import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import 'cronstrue/locales/de.js';
import 'cronstrue/locales/zh_CN.js';
import type { Language } from '../../../text/languages.ts';
import { fill } from '../../../text/section.ts';
import { schedulesText } from './schedules-text.ts';
import { dayName, simpleTimeOf } from './simple-time.ts';

/** As far as the daemon searches; it refuses times that do not come by then. */
const SEARCHED_YEARS = 10;
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', de: 'de', zh: 'zh_CN' };

/** Returns a cron expression in words: "Every Monday at 04:00" for `0 4 * * 1`; `undefined` for an invalid one, or one that never comes. */
export function describeCron(cron: string, language: Language): string | undefined {
  // cronstrue describes 30 February as well.
  if (upcoming(cron, { timeZone: 'UTC', count: 1 }).length === 0) return undefined;
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
  const year = new Date().getUTCFullYear();
  const pattern = `0 ${cron.trim()} ${year - 1}-${year + SEARCHED_YEARS}`;
  try {
    return new Cron(pattern, { timezone: timeZone, mode: '7-part', paused: true }).nextRuns(count);
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
