import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronRight, IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { usePlayers } from '../../api/players.ts';
import type { Instance } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import type { CommandHistory } from './command-history.ts';
import { complete } from './completion.ts';

export interface CommandLineProps {
  instance: Instance;
  mayType: boolean;
  history: CommandHistory;
  /** Returns false if there is no connection. */
  send: (command: string) => boolean;
}

export function CommandLine({ instance, mayType, history, send }: CommandLineProps) {
  const t = useWords(consoleText);
  const players = usePlayers(instance).data ?? [];
  const [command, setCommand] = useState('');
  const [unsent, setUnsent] = useState(false);
  const typed = useRef('');
  const running = instance.status !== 'stopped';

  const submit = () => {
    if (command.trim() === '') return;
    const sent = send(command);
    setUnsent(!sent);
    if (!sent) return;
    history.add(command);
    typed.current = '';
    setCommand('');
  };
  const type = (text: string) => {
    typed.current = text;
    setUnsent(false);
    setCommand(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Record<string, () => string | undefined> = {
      ArrowUp: history.back,
      ArrowDown: () => history.forward() ?? typed.current,
      Tab: () =>
        complete(
          command,
          players.map(({ name }) => name),
        ) ?? history.suggest(command),
    };
    // Shift+Tab leaves the field, and so does Tab if there is nothing to complete.
    if (event.shiftKey || (event.key === 'Tab' && command === '')) return;
    const next = keys[event.key]?.();
    if (keys[event.key] && event.key !== 'Tab') event.preventDefault();
    if (next === undefined) return;
    event.preventDefault();
    setCommand(next);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        aria-label={t('command')}
        placeholder={!mayType ? t('notAllowed') : running ? t('placeholder') : t('offline')}
        disabled={!mayType || !running}
        value={command}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={unsent && t('unsent')}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="send"
        maxLength={1_446}
        leftSection={<IconChevronRight size={16} aria-hidden />}
        rightSection={
          <ActionIcon type="submit" variant="subtle" disabled={!mayType || !running} aria-label={t('send')}>
            <IconSend size={16} />
          </ActionIcon>
        }
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
    </form>
  );
}
