import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const TYPING_PAUSE_MS = 300;
const PAGE = 20;
const MAX_HITS = 100;

/** What is searched at Modrinth: the words, and how many projects to show. */
export interface ProjectWords {
  typed: string;
  type(text: string): void;
  /** The words after a pause in typing. */
  query: string;
  limit: number;
  /** Shows the next projects; absent if no more can be shown. */
  more: (() => void) | undefined;
}

export function useProjectWords(): ProjectWords {
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [query] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  return {
    typed,
    type(text) {
      setTyped(text);
      setLimit(PAGE);
    },
    query,
    limit,
    more: limit < MAX_HITS ? () => setLimit(Math.min(MAX_HITS, limit + PAGE)) : undefined,
  };
}
