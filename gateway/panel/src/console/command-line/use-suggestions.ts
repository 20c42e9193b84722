import { useState } from 'react';
import type { Command } from './commands.ts';
import { commandsFor } from './completion.ts';

export interface SuggestionsOptions {
  typed: string;
  /** Whether the server knows the commands of vanilla. */
  enabled: boolean;
  /** Whether Tab has something to complete without the list. */
  completes: () => boolean;
  onChoose: (command: Command) => void;
}

export interface SuggestionList {
  /** Empty if the list is closed. */
  commands: readonly Command[];
  /** Index of the command that Enter chooses. */
  active: number | undefined;
  open(): void;
  close(): void;
  /** Returns whether the list has used the key. */
  onKey(key: string): boolean;
}

/** The list of commands that fit what is typed. It opens while the user types. */
export function useSuggestions({ typed, enabled, completes, onChoose }: SuggestionsOptions): SuggestionList {
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const commands = isOpen && enabled ? commandsFor(typed) : [];
  const set = (next: boolean) => {
    setIsOpen(next);
    setActive(undefined);
  };
  const move = (by: 1 | -1) => {
    const from = active ?? (by === 1 ? -1 : commands.length);
    setActive((from + by + commands.length) % commands.length);
  };
  return {
    commands,
    active,
    open: () => set(true),
    close: () => set(false),
    onKey(key) {
      const chosen = active === undefined ? undefined : commands[active];
      const first = commands[0];
      if (!first) return false;
      if (key === 'ArrowDown') move(1);
      else if (key === 'ArrowUp') move(-1);
      else if (key === 'Escape') set(false);
      else if (key === 'Enter' && chosen) onChoose(chosen);
      else if (key === 'Tab' && (chosen || !completes())) onChoose(chosen ?? first);
      else return false;
      return true;
    },
  };
}
