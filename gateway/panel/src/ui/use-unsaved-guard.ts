import { useEffect } from 'react';
import { useWords } from '../text/section.ts';
import { uiText } from './ui-text.ts';

/**
 * Asks before what was typed is lost: when the tab is closed or reloaded (the browser's own question), and when a link inside the
 * panel is followed.
 */
export function useUnsavedGuard(unsaved: boolean): void {
  const t = useWords(uiText);
  const question = t('unsaved');
  useEffect(() => {
    if (!unsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest('a[href], [role=tab]') : null;
      if (!target || window.confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', onUnload);
    // Before React and the router see it.
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [unsaved, question]);
}
