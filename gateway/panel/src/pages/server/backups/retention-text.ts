import type { Schemas } from '../../../api/transport/client.ts';
import type { Language } from '../../../text/languages.ts';
import { fill, section } from '../../../text/section.ts';

export const retentionText = section({
  en: {
    all: 'Backups are kept until someone deletes them.',
    kept: 'Kept: {rules}. Other backups are deleted automatically, including their off-site copies.',
    exceptions: 'Always kept: pinned backups, the last intact backup, and the three newest made before a restore.',
    newest: 'the newest',
    count: 'the newest {count}',
    days: 'all up to {span} old',
    daily: 'one per day for {span}',
    weekly: 'one per week for {span}',
    monthly: 'one per month for {span}',
    change: 'Change',
  },
  de: {
    all: 'Sicherungen bleiben, bis jemand sie löscht.',
    kept: 'Behalten werden: {rules}. Andere Sicherungen werden automatisch gelöscht, auch ihre externen Kopien.',
    exceptions:
      'Immer behalten werden: angeheftete Sicherungen, die letzte intakte und die drei neuesten, die vor einer Wiederherstellung entstanden sind.',
    newest: 'die neueste',
    count: 'die {count} neuesten',
    days: 'alle, die höchstens {span} alt sind',
    daily: 'eine pro Tag, {span} lang',
    weekly: 'eine pro Woche, {span} lang',
    monthly: 'eine pro Monat, {span} lang',
    change: 'Ändern',
  },
  zh: {
    all: '备份会一直保留，直到有人删除。',
    kept: '保留：{rules}。其他备份会自动删除，包括其异地副本。',
    exceptions: '始终保留：已固定的备份、最后一个完好的备份，以及最新的三个恢复前备份。',
    newest: '最新的一个',
    count: '最新的 {count} 个',
    days: '最近{span}内的全部备份',
    daily: '每天一个，共{span}',
    weekly: '每周一个，共{span}',
    monthly: '每月一个，共{span}',
    change: '更改',
  },
});

const UNITS = { days: 'day', daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** Returns one phrase per retention rule, such as "one per day for 7 days". */
export function describeRules(rules: Schemas['BackupRetention'], language: Language): string[] {
  const words = retentionText[language];
  const spans = (Object.keys(UNITS) as (keyof typeof UNITS)[]).flatMap((rule) => {
    const length = rules[rule];
    if (length === undefined) return [];
    const span = length.toLocaleString(language, { style: 'unit', unit: UNITS[rule], unitDisplay: 'long' });
    return [fill(words[rule], { span })];
  });
  const { count } = rules;
  if (count === undefined) return spans;
  return [count === 1 ? words.newest : fill(words.count, { count }), ...spans];
}
