import type { Page } from 'playwright-core';

/** So many stops are looked at; no part of a page has more before it repeats itself. */
const MOST_STOPS = 60;

/**
 * What is wrong for who has only a keyboard, from where the focus is until it comes round: a stop that does not show that it has the focus
 * (WCAG 2.2, 2.4.7), that is hidden behind something else (2.4.11), that comes out of order (2.4.3), or that Tab does not lead away from
 * (2.1.2). Empty: nothing.
 */
export async function focusFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(BEGIN);
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const { done, fault } = await page.evaluate<{ done: boolean; fault?: string }>(LOOK);
    if (fault !== undefined) faults.push(fault);
    if (done) return faults;
  }
  return faults;
}

/** How everything looks before the focus arrives. An icon's button shows it itself, a field by its border, a card by the one around. */
const BEGIN = `(() => {
  const STYLES = ['outlineStyle', 'outlineWidth', 'borderColor', 'boxShadow', 'backgroundColor'];
  const styles = (element, part) => {
    // A border that fades in is looked at as it will be.
    for (const animation of element.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
    return STYLES.map((name) => getComputedStyle(element, part)[name]).join();
  };
  // A terminal's own field is out of sight: what is around it shows the focus.
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
  // Where one begins in the middle, it begins anew behind the end.
  if (previous && !(previous.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) && ++window.focus_.rounds > 1)
    return fault('comes out of order');
  if (before.get(element) === look(element)) return fault('does not show the focus');
  if (element.closest('.xterm')) return { done: false };
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isItself = hit && (element.contains(hit) || hit.contains(element) || element.parentElement.contains(hit));
  return isItself ? { done: false } : fault('is hidden');
})()`;
