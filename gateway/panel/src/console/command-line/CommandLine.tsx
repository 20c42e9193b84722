import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronRight, IconSend } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { Instance } from '../../api/transport/client.ts';
import { useWords } from '../../text/section.ts';
import { consoleText } from '../console-text.ts';
import type { CommandHistory } from './command-history.ts';
import { complete, type Suggestion, suggestionsFor, withChosen } from './completion.ts';
import { heightOf, optionId, Suggestions } from './Suggestions.tsx';
import { usePlayerNames } from './use-player-names.ts';
import { useSuggestions } from './use-suggestions.ts';

export interface CommandLineProps {
  instance: Instance;
  mayType: boolean;
  history: CommandHistory;
  /** Whether the server knows vanilla's commands. */
  suggests: boolean;
  /** Called with the height in pixels that the list of suggestions covers above the command line. */
  onCover: (pixels: number) => void;
  /** Returns false if there is no connection. */
  send: (command: string) => boolean;
}

export function CommandLine({ instance, mayType, history, suggests, onCover, send }: CommandLineProps) {
  const t = useWords(consoleText);
  const [command, setCommand] = useState('');
  const [unsent, setUnsent] = useState(false);
  const typed = useRef('');
  const running = instance.status !== 'stopped';
  const words = { players: usePlayerNames(instance, { withSeen: suggests && mayType }), version: instance.version };

  const completeWord = () => complete(command, words);
  const choose = (chosen: Suggestion) => type(withChosen(command, chosen));
  const list = useSuggestions({
    suggestions: suggests ? suggestionsFor(command, words) : [],
    completes: () => completeWord() !== undefined,
    onChoose: choose,
  });
  const isOpen = list.shown.length > 0;
  const listId = useId();
  const height = heightOf(list.shown.length);
  const cover = useRef(onCover);
  cover.current = onCover;
  useEffect(() => cover.current(height), [height]);

  const submit = () => {
    // A chosen word has a space after it, which Minecraft refuses at the end.
    const line = command.trimEnd();
    if (line === '') return;
    const sent = send(line);
    setUnsent(!sent);
    if (!sent) return;
    history.add(line);
    typed.current = '';
    setCommand('');
    list.close();
  };
  const type = (text: string) => {
    typed.current = text;
    setUnsent(false);
    setCommand(text);
    list.open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    // Shift+Tab leaves the field, and so does Tab if there is nothing to complete.
    if (shiftKey || (key === 'Tab' && command === '')) return;
    if (list.onKey(key)) {
      event.preventDefault();
      return;
    }
    const keys: Record<string, () => string | undefined> = {
      ArrowUp: history.back,
      ArrowDown: () => history.forward() ?? typed.current,
      Tab: () => completeWord() ?? history.suggest(command),
    };
    const next = keys[key]?.();
    if (keys[key] && key !== 'Tab') event.preventDefault();
    if (next === undefined) return;
    event.preventDefault();
    setCommand(next);
    if (key !== 'Tab') list.close();
  };

  return (
    <form
      className="console-command-line"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {isOpen && <Suggestions id={listId} suggestions={list.shown} active={list.active} onChoose={choose} />}
      <TextInput
        id="command-line"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={list.active === undefined ? undefined : optionId(listId, list.active)}
        aria-label={t('command')}
        placeholder={!mayType ? t('notAllowed') : running ? t('placeholder') : t('offline')}
        disabled={!mayType || !running}
        value={command}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={list.close}
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
