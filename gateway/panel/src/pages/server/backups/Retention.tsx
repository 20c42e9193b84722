import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRetention } from '../../../api/backups.ts';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { describeRules, retentionText } from './retention-text.ts';

/** The retention rules in words. `mayChange`: shows a link to the settings. */
export function Retention({ instanceId, mayChange }: { instanceId: string; mayChange: boolean }) {
  const t = useWords(retentionText);
  const { language } = useLanguage();
  const { data } = useRetention(instanceId);
  if (!data) return null;
  const rules = describeRules(data, language);
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
