import type { Locator, Page } from 'playwright-core';

/** Returns the colour of an element's text. */
export function textColour(element: Locator): Promise<string> {
  return element.evaluate(TEXT);
}

/** Returns the colour of the bar beside a message. */
export function barColour(message: Locator): Promise<string> {
  return message.evaluate(BAR);
}

/** Returns a colour of the panel's theme in the present scheme, such as `yellow-light-color`. */
export function themeColour(page: Page, name: string): Promise<string> {
  return page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--mantine-color-${name})';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  })()`);
}

/** Playwright calls these with the element. */
const TEXT = new Function('element', 'return getComputedStyle(element).color') as (element: unknown) => string;
const BAR = new Function('element', `return getComputedStyle(element, '::before').backgroundColor`) as typeof TEXT;
