import { getHotkeyHandler } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { useLayoutEffect } from 'react';

const openByKey = getHotkeyHandler([
  ['mod + K', spotlight.open],
  ['mod + P', spotlight.open],
]);

/**
 * Opens the command palette by Ctrl+K or Ctrl+P, also in input fields, above all in the console; not if an editor has used the key. The
 * palette is rendered after the page, but its keys work once the page is visible: what was pressed before opens it as soon as it is there.
 */
export function usePaletteKeys(): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => event.defaultPrevented || openByKey(event);
    document.documentElement.addEventListener('keydown', onKey);
    return () => document.documentElement.removeEventListener('keydown', onKey);
  }, []);
}
