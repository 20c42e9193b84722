import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRetention } from '../../../api/backups.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { useLanguage } from '../../../text/language.ts';
import { section, useWords } from '../../../text/section.ts';

const text = section({
  en: {
    all: 'Every backup stays until somebody deletes it.',
    kept: 'Kept: {rules}. Other backups are deleted automatically, with their copies in other places.',
    exceptions: 'Always kept: those kept for good, the last intact one, and the newest three from before a restore.',
    newest: 'the newest',
    count: 'the newest {count}',
    days: 'all that are at most {span} old',
    daily: 'one a day for {span}',
    weekly: 'one a week for {span}',
    monthly: 'one a month for {span}',
    change: 'Change',
  },
  de: {
    all: 'Jede Sicherung bleibt, bis jemand sie löscht.',
    kept: 'Behalten: {rules}. Andere Sicherungen werden automatisch gelöscht, mit ihren Kopien an anderen Orten.',
    exceptions:
      'Immer behalten: dauerhaft behaltene, die letzte intakte und die drei neuesten von vor einer Wiederherstellung.',
    newest: 'die neueste',
    count: 'die {count} neuesten',
    days: 'alle, die höchstens {span} alt sind',
    daily: 'eine pro Tag, {span} lang',
    weekly: 'eine pro Woche, {span} lang',
    monthly: 'eine pro Monat, {span} lang',
    change: 'Ändern',
  },
  zh: {
    all: '所有备份都会保留，直到有人删除。',
    kept: '保留：{rules}。其他备份会自动删除，包括其他位置的副本。',
    exceptions: '始终保留：永久保留的备份、最后一个完好的备份，以及最新的三个恢复前备份。',
    newest: '最新的一个',
    count: '最新的 {count} 个',
    days: '最近{span}内的全部',
    daily: '每天一个，共{span}',
    weekly: '每周一个，共{span}',
    monthly: '每月一个，共{span}',
    change: '更改',
  },
});

type Rules = Schemas['BackupRetention'];
const UNITS = { days: 'day', daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** Which backups stay, and that others go. `mayChange`: who can open the settings. */
export function Retention({ instanceId, mayChange }: { instanceId: string; mayChange: boolean }) {
  const t = useWords(text);
  const rules = useRuleWords(useRetention(instanceId).data);
  if (!rules) return null;
  return (
    <Text size="sm" c="dimmed">
      {rules.length === 0 ? t('all') : `${t('kept', { rules: rules.join('; ') })} ${t('exceptions')}`}{' '}
      {mayChange && (
        <Anchor component={Link} href="/host/storage" inherit td="underline">
          {t('change')}
        </Anchor>
      )}
    </Text>
  );
}

/** One phrase for each rule; `undefined` while they are not known. */
function useRuleWords(rules: Rules | undefined): string[] | undefined {
  const t = useWords(text);
  const { language } = useLanguage();
  if (!rules) return undefined;
  const spans = (Object.keys(UNITS) as (keyof typeof UNITS)[]).flatMap((rule) => {
    const length = rules[rule];
    if (length === undefined) return [];
    const span = length.toLocaleString(language, { style: 'unit', unit: UNITS[rule], unitDisplay: 'long' });
    return [t(rule, { span })];
  });
  const { count } = rules;
  return [...(count === undefined ? [] : [count === 1 ? t('newest') : t('count', { count })]), ...spans];
}
