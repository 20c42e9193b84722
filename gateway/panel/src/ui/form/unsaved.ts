/** Something that has been typed and not been saved: what to ask before it is lost, and the address of its page. */
interface Unsaved {
  question: string;
  address: string;
}

const held = new Set<Unsaved>();

/** Counts something on this page as unsaved until the returned function is called. */
export function holdUnsaved(question: string): () => void {
  const unsaved = { question, address: window.location.href };
  held.add(unsaved);
  return () => void held.delete(unsaved);
}

/** Asks, where there is something to lose. Whatever leads to another page has to ask first. */
export function mayLeave(): boolean {
  const [first] = held;
  return first === undefined || window.confirm(first.question);
}

// Back and Forward have happened when one hears of them: who stays gets the address back before the router, which listens later,
// has seen the other one.
window.addEventListener('popstate', (event) => {
  const [first] = held;
  if (!first || mayLeave()) return;
  event.stopImmediatePropagation();
  history.pushState(null, '', first.address);
});

// Closing and reloading: the browser's own question.
window.addEventListener('beforeunload', (event) => {
  if (held.size > 0) event.preventDefault();
});
