import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { nextStop } from './next-stop.ts';

export interface Toolbar {
  ref: RefObject<HTMLDivElement | null>;
  role: 'toolbar';
  onFocus: (event: FocusEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Returns the props that make an element's buttons one tab stop, with the arrow keys between them (ARIA Authoring Practices, "Toolbar").
 * Fields in it stay stops of their own: their arrow keys move the cursor.
 */
export function useToolbar(): Toolbar {
  const ref = useRef<HTMLDivElement>(null);
  const stop = useRef<Element>(null);
  const buttons = () => [...(ref.current?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
  const moveStop = (to: Element | null) => {
    const all = buttons();
    stop.current = all.find((button) => button === to) ?? all[0] ?? null;
    for (const button of all) button.tabIndex = button === stop.current ? 0 : -1;
  };
  // After every render: buttons come and go with the state.
  useLayoutEffect(() => moveStop(stop.current));
  return {
    ref,
    role: 'toolbar',
    // Menus and dialogs of a button send their events too, but are elsewhere in the document.
    onFocus({ target }) {
      if (buttons().some((button) => button === target)) moveStop(target);
    },
    onKeyDown(event) {
      const all = buttons();
      const next = nextStop(event.key, { at: all.indexOf(event.target as HTMLButtonElement), count: all.length });
      if (next === undefined) return;
      event.preventDefault();
      all[next]?.focus();
    },
  };
}
