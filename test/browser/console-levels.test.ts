import type { Page } from 'playwright-core';
import t from 'tap';
import { accessibilityFaults, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { startWithPrinter } from '../support/processes/running-printer.ts';

/** As in gateway/panel/src/console/terminal/terminal-theme.ts. */
const COLOURS = {
  dark: { foreground: '#d4d7de', yellow: '#dcb862', red: '#e5786d', cyan: '#6cbcb8', brightBlue: '#9cc0ee' },
  light: { foreground: '#1e2027', yellow: '#8a6100', red: '#b3261e', cyan: '#0f6b66', brightBlue: '#2f6fc4' },
};

t.test('warnings and errors stand out in the console', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const printer = await startWithPrinter(t);
  const window = await openWindow(browser, printer, { screen: 'desktop', scheme: 'dark' });
  const { page, visit, complaints } = window;
  const rows = page.locator('.xterm-rows');
  await signInAs(window, printer);
  await visit('/servers/printer/console');
  await rows.getByText('Ready').waitFor();

  await t.test('in amber and red, if they have no colour of their own', async (t) => {
    await printer.print(
      '[12:00:00 INFO]: all is well',
      '[12:00:00] [Server thread/WARN]: it is slow',
      '[12:00:00] [Server thread/ERROR]: it failed',
      'java.lang.IllegalStateException: why',
      '\\tat demo.Server.tick(Server.java:42)',
      '\\033[36m[12:00:00] [Server thread/ERROR]: in cyan\\033[m',
    );
    await rows.getByText('in cyan').waitFor();
    for (const scheme of ['light', 'dark'] as const) {
      t.same(await accessibilityFaults(page, [scheme]), [], 'axe finds nothing');
      const { foreground, yellow, red, cyan } = COLOURS[scheme];
      const expected = {
        'all is well': foreground,
        'it is slow': yellow,
        'it failed': red,
        IllegalStateException: red,
        'demo.Server.tick': red,
        'in cyan': cyan,
      };
      for (const [text, colour] of Object.entries(expected))
        t.equal(await colourOf(page, text), colour, `${scheme}: ${text}`);
    }
  });

  t.same(complaints, [], 'no errors in the browser console');
});

/** Returns the colour of the end of the line with this text as `#rrggbb`. */
async function colourOf(page: Page, text: string | RegExp): Promise<string> {
  const rgb = await page.locator('.xterm-rows > div').filter({ hasText: text }).last().evaluate(COLOUR);
  return `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Playwright calls it with the row. */
const COLOUR = new Function(
  'row',
  `const end = [...row.querySelectorAll('span')].findLast((span) => span.textContent.trim() !== '');
  return getComputedStyle(end).color.match(/\\d+/g).map(Number)`,
) as (row: unknown) => number[];
