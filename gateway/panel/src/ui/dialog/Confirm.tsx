import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useWords } from '../../text/section.ts';
import { ProblemAlert } from '../feedback/ProblemAlert.tsx';
import { uiText } from '../ui-text.ts';
import { Dialog } from './Dialog.tsx';

export interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Explains what will be lost. */
  children: ReactNode;
  action: string;
  /** The name of what is lost, as the page shows it. The user must type it first; for actions that cannot be undone. */
  word?: string;
  /** Disables the action; `children` explain why. */
  blocked?: boolean;
  onConfirm: () => Promise<unknown>;
}

/** Asks before a destructive action. If the action fails, stays open and shows why. */
export function Confirm({ opened, onClose, title, children, action, word, blocked = false, onConfirm }: ConfirmProps) {
  const t = useWords(uiText);
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const close = () => {
    setTyped('');
    setState({ busy: false });
    onClose();
  };
  const confirm = async () => {
    setState({ busy: true });
    try {
      await onConfirm();
      close();
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          {word !== undefined && (
            <TextInput
              label={t('typeToConfirm', { word })}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              error={word.startsWith(typed.trimStart()) ? undefined : t('typedDiffers', { word })}
              autoComplete="off"
              data-autofocus
            />
          )}
          {state.error !== undefined && <ProblemAlert error={state.error} />}
          <Group justify="flex-end">
            {/* Without a field the focus is on Cancel, so that Enter does no harm. */}
            <Button variant="default" onClick={close} data-autofocus={word === undefined || undefined}>
              {t('cancel')}
            </Button>
            <Button
              type="submit"
              color="danger"
              loading={state.busy}
              disabled={blocked || (word !== undefined && typed.trim() !== word)}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
