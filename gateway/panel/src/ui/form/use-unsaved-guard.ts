import { useEffect } from 'react';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { holdUnsaved } from './unsaved.ts';

/** Asks before what was typed is lost, however the page is left. */
export function useUnsavedGuard(unsaved: boolean): void {
  const question = useWords(uiText)('unsaved');
  useEffect(() => (unsaved ? holdUnsaved(question) : undefined), [unsaved, question]);
}
