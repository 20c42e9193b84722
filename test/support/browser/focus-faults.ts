import type { Page } from 'playwright-core';

/** More tab stops than any page has. */
const MAX_STOPS = 60;

/**
 * Presses Tab through the whole page. Returns the stops without a visible focus (WCAG 2.2, 2.4.7), those hidden behind something else
 * (2.4.11), those out of order (2.4.3), and keyboard traps (2.1.2).
 */
export async function focusFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(BEGIN);
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const { done, fault } = await page.evaluate<{ done: boolean; fault?: string }>(LOOK);
    if (fault !== undefined) faults.push(fault);
    if (done) return faults;
  }
  return faults;
}

/** Records how each element looks without focus. The focus may show on the element, its parent (a field) or its sibling (a card). */
const BEGIN = `(() => {
  const STYLES = ['outlineStyle', 'outlineWidth', 'borderColor', 'boxShadow', 'backgroundColor'];
  const styles = (element, part) => {
    // Borders fade in: skip to the end.
    for (const animation of element.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    return STYLES.map((name) => getComputedStyle(element, part)[name]).join();
  };
  // xterm's own field is invisible: its container shows the focus.
  const terminal = (element) => element.closest('.xterm')?.parentElement.parentElement;
  const look = (element) => terminal(element)
    ? styles(terminal(element), '::after')
    : [element, element.parentElement, element.nextElementSibling].map((each) => each && styles(each)).join();
  const before = new Map();
  for (const element of document.querySelectorAll('a[href], button, input, select, textarea, [tabindex]'))
    if (element !== document.activeElement) before.set(element, look(element));
  window.focus_ = { look, before, stops: [], rounds: 0 };
})()`;

const LOOK = `(() => {
  const { look, before, stops } = window.focus_;
  const element = document.activeElement;
  const previous = stops.at(-1);
  if (element === previous) return { done: true, fault: 'keeps the focus: ' + element.outerHTML.slice(0, 200) };
  if (element === document.body || stops.includes(element)) return { done: true };
  stops.push(element);
  const fault = (what) => ({ done: false, fault: what + ': ' + element.outerHTML.slice(0, 200) });
  // The focus may wrap around once.
  if (previous && !(previous.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) && ++window.focus_.rounds > 1)
    return fault('comes out of order');
  if (before.get(element) === look(element)) return fault('does not show the focus');
  if (element.closest('.xterm')) return { done: false };
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isItself = hit && (element.contains(hit) || hit.contains(element) || element.parentElement.contains(hit));
  return isItself ? { done: false } : fault('is hidden');
})()`;
