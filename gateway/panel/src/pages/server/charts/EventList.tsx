import { Group, Text } from '@mantine/core';
import { useLanguage } from '../../../text/language.ts';
import { useWords } from '../../../text/section.ts';
import { EVENT_SIGNS, eventsIn } from './chart-events.ts';
import { type HistoryEvent, secondsOf } from './chart-history.ts';
import { chartsText } from './charts-text.ts';
import { formatMoment } from './plot/time-labels.ts';
import type { Span } from './zoom/chart-zoom.ts';

/** More would push the page down. */
const MOST_LISTED = 24;

/** Lists the newest events that the charts mark, and so explains their signs. */
export function EventList({ events, span }: { events: readonly HistoryEvent[]; span: Span }) {
  const t = useWords(chartsText);
  const { language } = useLanguage();
  const marked = eventsIn(events, span);
  if (marked.length === 0) return null;
  return (
    <>
      <Group component="ul" aria-label={t('events')} gap="md" m={0} mt="md" p={0} style={{ listStyle: 'none' }}>
        {marked.slice(0, MOST_LISTED).map(({ at, kind }) => (
          <Text key={`${at} ${kind}`} component="li" size="xs" c="dimmed">
            <span aria-hidden>{EVENT_SIGNS[kind]}</span> {t(kind)} {formatMoment(language, secondsOf(at))}
          </Text>
        ))}
      </Group>
      {marked.length > MOST_LISTED && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('moreEvents', { count: marked.length - MOST_LISTED })}
        </Text>
      )}
    </>
  );
}
