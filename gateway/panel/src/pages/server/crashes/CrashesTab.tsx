import { Box, Code, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { crashesQuery } from '../../../api/instances.ts';
import type { Schemas } from '../../../api/transport/client.ts';
import { section, useWords } from '../../../text/section.ts';
import { RelativeTime } from '../../../ui/display/RelativeTime.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert.tsx';
import type { TabProps } from '../tab-props.ts';

const text = section({
  en: {
    emptyTitle: 'No crashes',
    empty: 'If the server crashes, you can see here when and why, with its last output.',
    exitCode: 'exit code {code}',
    signal: 'signal {signal}',
    lastLines: 'Last output',
  },
  de: {
    emptyTitle: 'Keine Abstürze',
    empty: 'Wenn der Server abstürzt, sehen Sie hier, wann und warum, mit seiner letzten Ausgabe.',
    exitCode: 'Exit-Code {code}',
    signal: 'Signal {signal}',
    lastLines: 'Letzte Ausgabe',
  },
  zh: {
    emptyTitle: '没有崩溃记录',
    empty: '如果服务器崩溃，这里会显示时间、原因和最后的输出。',
    exitCode: '退出代码 {code}',
    signal: '信号 {signal}',
    lastLines: '最后的输出',
  },
});

export function CrashesTab({ instance }: TabProps) {
  const t = useWords(text);
  const crashes = useQuery(crashesQuery(instance));
  if (crashes.data?.length === 0)
    return (
      <EmptyState picture="tree" title={t('emptyTitle')}>
        {t('empty')}
      </EmptyState>
    );
  return (
    <Box p="md" maw="var(--content-width)">
      {crashes.isPending && <Skeleton h={160} />}
      {crashes.isError && <ProblemAlert error={crashes.error} onRetry={() => void crashes.refetch()} />}
      <Stack component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {crashes.data?.map((each) => (
          <CrashReport key={each.at} crash={each} />
        ))}
      </Stack>
    </Box>
  );
}

function CrashReport({ crash }: { crash: Schemas['CrashReport'] }) {
  const t = useWords(text);
  const { at, reason, exitCode, signal, lines } = crash;
  const details = [
    exitCode === null ? undefined : t('exitCode', { code: exitCode }),
    signal === null ? undefined : t('signal', { signal }),
  ].filter((detail) => detail !== undefined);
  return (
    <Paper p="md" component="li">
      <Text size="sm">
        <RelativeTime at={at} fw={600} />{' '}
        <Text span size="sm" c="dimmed">
          {details.join(' · ')}
        </Text>
      </Text>
      <Text size="sm" mt={4}>
        {reason}
      </Text>
      {lines.length > 0 && (
        <details>
          <summary>{t('lastLines')}</summary>
          <Code block tabIndex={0} mt="xs" style={{ maxHeight: 320, overflow: 'auto' }}>
            {lines.join('\n')}
          </Code>
        </details>
      )}
    </Paper>
  );
}
