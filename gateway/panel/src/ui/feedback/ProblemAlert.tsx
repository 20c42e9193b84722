import { Button, Group, Text } from '@mantine/core';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { ErrorAlert } from './ErrorAlert.tsx';
import { RequestId } from './RequestId.tsx';
import { useProblem } from './use-problem.ts';

export function ProblemAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useWords(uiText);
  const { title, message, resolution, detail, detailLanguage, requestId } = useProblem(error);
  return (
    <ErrorAlert title={title}>
      <Text size="sm">{message}</Text>
      {resolution && (
        <Text size="sm" mt={4}>
          {resolution}
        </Text>
      )}
      {detail && (
        <Text size="sm" mt={4} lang={detailLanguage}>
          {detail}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        {onRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        {requestId && <RequestId id={requestId} />}
      </Group>
    </ErrorAlert>
  );
}
