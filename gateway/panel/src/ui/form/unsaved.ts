import { useEffect } from 'react';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';

interface UnsavedChanges {
  question: string;
  /** URL of the page with the changes. */
  address: string;
}

const unsaved = new Set<UnsavedChanges>();

/** Asks before changes on this page are lost, however the user leaves it. */
export function useUnsavedGuard(hasChanges: boolean): void {
  const question = useWords(uiText)('unsaved');
  useEffect(() => (hasChanges ? holdUnsaved(question) : undefined), [hasChanges, question]);
}

/** Counts the current page as unsaved until the returned function is called. */
export function holdUnsaved(question: string): () => void {
  const changes = { question, address: window.location.href };
  unsaved.add(changes);
  return () => void unsaved.delete(changes);
}

/** Whether any page has changes that a reload would lose. */
export function hasUnsaved(): boolean {
  return unsaved.size > 0;
}

/** Asks the user if there are unsaved changes. Every navigation must call it first. */
export function mayLeave(): boolean {
  const [first] = unsaved;
  return first === undefined || window.confirm(first.question);
}

// When popstate fires, Back or Forward has already changed the URL. This listener runs before the router's and restores it.
window.addEventListener('popstate', (event) => {
  const [first] = unsaved;
  if (!first || mayLeave()) return;
  event.stopImmediatePropagation();
  window.history.pushState(null, '', first.address);
});

// Closing and reloading: the browser asks its own question.
window.addEventListener('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault();
});
