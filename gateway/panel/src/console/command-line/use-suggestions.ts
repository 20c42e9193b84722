import { useState } from 'react';
import type { Suggestion } from './completion.ts';

export interface SuggestionsOptions {
  /** What fits what is typed. */
  suggestions: readonly Suggestion[];
  /** Whether Tab has something to complete without the list. */
  completes: () => boolean;
  onChoose: (suggestion: Suggestion) => void;
}

export interface SuggestionList {
  /** Empty if the list is closed. */
  shown: readonly Suggestion[];
  /** Index of the suggestion that Enter chooses. */
  active: number | undefined;
  open(): void;
  close(): void;
  /** Returns whether the list has used the key. */
  onKey(key: string): boolean;
}

/** The list of what fits what is typed. It opens while the user types. */
export function useSuggestions({ suggestions, completes, onChoose }: SuggestionsOptions): SuggestionList {
  const [isOpen, setIsOpen] = useState(false);
  // By its word: a player who leaves moves the others.
  const [activeWord, setActiveWord] = useState<string>();
  const shown = isOpen ? suggestions : [];
  const index = shown.findIndex(({ word }) => word === activeWord);
  const active = index === -1 ? undefined : index;
  const set = (next: boolean) => {
    setIsOpen(next);
    setActiveWord(undefined);
  };
  const move = (by: 1 | -1) => {
    const from = active ?? (by === 1 ? -1 : shown.length);
    setActiveWord(shown[(from + by + shown.length) % shown.length]?.word);
  };
  return {
    shown,
    active,
    open: () => set(true),
    close: () => set(false),
    onKey(key) {
      const chosen = active === undefined ? undefined : shown[active];
      const first = shown[0];
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
