import type { Page } from 'playwright-core';

/** Returns the terminal's selection, as Ctrl+C copies it. */
export function selected(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const data = new DataTransfer();
    const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('.xterm').dispatchEvent(event);
    return data.getData('text/plain');
  })()`);
}
