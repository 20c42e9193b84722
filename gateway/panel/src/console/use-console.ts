import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useWords } from '../text/section.ts';
import { type CommandHistory, createCommandHistory } from './command-line/command-history.ts';
import { type ConsoleConnection, type ConsoleState, connectConsole } from './console-connection.ts';
import { consoleText } from './console-text.ts';
import { createLogTail, type LogTail } from './log/log-tail.ts';
import { ConsoleTerminal, type SearchState } from './terminal/console-terminal.ts';
import type { FilterState } from './terminal/line-writer.ts';

export interface LiveConsole {
  element: RefObject<HTMLDivElement | null>;
  terminal: RefObject<ConsoleTerminal | undefined>;
  state: ConsoleState;
  tail: LogTail;
  /** The log has no lines yet. */
  empty: boolean;
  following: boolean;
  search: SearchState | undefined;
  filtered: FilterState;
  /** Whether text in the terminal is selected. */
  selected: boolean;
  /** How many lines are selected, if it was done with the keyboard. */
  selectedByKeys: number | undefined;
  history: CommandHistory;
  send(command: string): boolean;
  /** Shows the log from its first line. */
  loadAll(): void;
}

const UNFILTERED: FilterState = { filter: 'all', hidden: 0, folding: true };

/** Shows a server's console in `element` while the component is mounted. */
export function useConsole(instanceId: string): LiveConsole {
  const t = useWords(consoleText);
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const element = useRef<HTMLDivElement>(null);
  const terminal = useRef<ConsoleTerminal>(undefined);
  const connection = useRef<ConsoleConnection>(undefined);
  const tail = useMemo(() => createLogTail(), []);
  const history = useMemo(() => createCommandHistory(instanceId), [instanceId]);
  // A change of language must not reconnect.
  const words = useRef(t);
  words.current = t;
  const [state, setState] = useState<ConsoleState>('connecting');
  const [empty, setEmpty] = useState(true);
  const [following, setFollowing] = useState(true);
  const [search, setSearch] = useState<SearchState>();
  const [filtered, setFiltered] = useState(UNFILTERED);
  const [selected, setSelected] = useState(false);
  const [selectedByKeys, setSelectedByKeys] = useState<number>();

  const connect = useCallback(
    (from?: number) => {
      const lines = terminal.current?.lines;
      if (!lines) return;
      let wasLost = false;
      connection.current?.close();
      tail.reconnect();
      connection.current = connectConsole(from === undefined ? { instanceId } : { instanceId, from }, {
        onLines(received) {
          setEmpty(false);
          lines.add(received);
          tail.add(received);
        },
        onUnfinished: (text) => lines.setUnfinished(text),
        onSkipped: (count) => lines.addMessage(words.current('skipped', { count })),
        onNotice: (text) => lines.addMessage(text),
        onState(next) {
          setState(next);
          if (next === 'lost' && !wasLost) lines.addMessage(words.current('lost'));
          if (next === 'open' && wasLost) lines.addMessage(words.current('resumed'));
          if (next === 'ended') lines.addMessage(words.current('ended'));
          if (next === 'lost') wasLost = true;
          if (next === 'open') wasLost = false;
        },
      });
    },
    [instanceId, tail],
  );

  useEffect(() => {
    if (!element.current) return;
    const created = new ConsoleTerminal(element.current, {
      scheme: 'dark',
      isEcho: history.isEcho,
      foldText: (count) => words.current('folded', { count }),
      onResize: (size) => connection.current?.resize(size),
      onFollowing: setFollowing,
      onSearch: setSearch,
      onFiltered: setFiltered,
      onSelected(next) {
        setSelected(next);
        if (!next) setSelectedByKeys(undefined);
      },
      onSelectedByKeys: setSelectedByKeys,
    });
    setFiltered(UNFILTERED);
    setSelected(false);
    setSelectedByKeys(undefined);
    terminal.current = created;
    connect();
    return () => {
      connection.current?.close();
      created.dispose();
      terminal.current = undefined;
    };
  }, [connect, history]);

  useEffect(() => terminal.current?.setScheme(scheme), [scheme]);
  const label = t('terminal');
  useEffect(() => terminal.current?.setLabel(label), [label]);

  return {
    element,
    terminal,
    state,
    tail,
    empty,
    following,
    search,
    filtered,
    selected,
    selectedByKeys,
    history,
    send: (command) => connection.current?.send(command) ?? false,
    loadAll() {
      terminal.current?.lines.clear();
      connect(1);
    },
  };
}
