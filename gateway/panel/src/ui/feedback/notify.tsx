import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { RequestId } from './RequestId.tsx';
import { useProblem } from './use-problem.ts';

/** Reports that something has succeeded. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'good' });
}

/** Reports what is neither a success nor a failure, such as that there was nothing to do. */
export function notifyInfo(message: string): void {
  notifications.show({ message, color: 'accent' });
}

/** Reports a failure of the panel itself, which a sentence explains. Errors of Gamekeeper: `notifyProblem`. */
export function notifyFailure(message: string): void {
  notifications.show({ message, color: 'danger' });
}

const UNDO_MS = 15_000;

export function notifyUndoable(message: string, undo: () => void): void {
  const id = notifications.show({
    message: (
      <Undoable
        message={message}
        undo={() => {
          notifications.hide(id);
          undo();
        }}
      />
    ),
    color: 'good',
    autoClose: UNDO_MS,
  });
}

function Undoable({ message, undo }: { message: string; undo: () => void }) {
  const t = useWords(uiText);
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">{message}</Text>
      <Button size="compact-sm" variant="default" onClick={undo}>
        {t('undo')}
      </Button>
    </Group>
  );
}

/** Shows an error until the user closes it. */
export function notifyProblem(error: unknown): void {
  notifications.show({ message: <Message error={error} />, color: 'danger', autoClose: false });
}

function Message({ error }: { error: unknown }) {
  const { title, message, resolution, detail, detailLanguage, requestId } = useProblem(error);
  return (
    <Stack gap={4} align="flex-start" role="alert">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm">{resolution ? `${message} ${resolution}` : message}</Text>
      {detail && (
        <Text size="sm" lang={detailLanguage}>
          {detail}
        </Text>
      )}
      {requestId && <RequestId id={requestId} />}
    </Stack>
  );
}
