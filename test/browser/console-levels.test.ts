import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { accessibilityFaults, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { selected } from '../support/browser/terminal-selection.ts';
import { until } from '../support/machine/until.ts';
import { startWithPrinter } from '../support/processes/running-printer.ts';

/** As in gateway/panel/src/console/terminal/terminal-theme.ts. */
const COLOURS = {
  dark: { foreground: '#d4d7de', yellow: '#dcb862', red: '#e5786d', cyan: '#6cbcb8', brightBlue: '#9cc0ee' },
  light: { foreground: '#1e2027', yellow: '#8a6100', red: '#b3261e', cyan: '#0f6b66', brightBlue: '#2f6fc4' },
};
const LINES = 10_000;
/** Includes two clicks, and the drawing of all lines on a busy machine. */
const QUICK_MS = 5_000;

t.test('warnings and errors stand out in the console', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const printer = await startWithPrinter(t);
  const window = await openWindow(
    browser,
    printer,
    { screen: 'desktop', scheme: 'dark' },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
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

  await t.test('all other lines can be hidden, and come back in order', async (t) => {
    await printer.print('[12:00:01 INFO]: later', 'an INFO line \\033[31min red\\033[m');
    await rows.getByText('in red').waitFor();
    await choose(page, 'Warnings and errors');
    await rows.getByText('all is well').waitFor({ state: 'detached' });
    await page.getByText('Hidden lines: 4', { exact: true }).waitFor();
    t.match(await shownLines(page), [/it is slow/, /it failed/, /IllegalState/, /at demo/, /in cyan/]);
    await choose(page, 'Errors');
    await page.getByText('Hidden lines: 5', { exact: true }).waitFor();
    t.match(await shownLines(page), [/it failed/, /IllegalState/, /at demo/, /in cyan/]);
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');

    await printer.print('[12:00:02 ERROR]: one more', '[12:00:02 INFO]: hidden');
    await rows.getByText('one more').waitFor();
    await page.getByText('Hidden lines: 6', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy displayed log' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    t.same((await page.evaluate<string>('navigator.clipboard.readText()')).split('\n').slice(-3), [
      '[12:00:00] [Server thread/ERROR]: in cyan',
      '[12:00:02 ERROR]: one more',
      '',
    ]);

    await choose(page, 'All lines');
    await rows.getByText('hidden').waitFor();
    t.match(await shownLines(page), [
      ...[/Ready/, /all is well/, /it is slow/, /it failed/, /IllegalState/, /at demo/, /in cyan/, /later/, /in red/],
      ...[/one more/, /hidden/],
    ]);
  });

  await t.test('the filter keeps up with a flood, and F8 works within it', async (t) => {
    await choose(page, 'Errors');
    await printer.api('POST', '/instances/printer/commands', { command: `flood ${LINES}` });
    await printer.print('[12:00:03 ERROR]: the last');
    await rows.getByText('the last').waitFor();
    await page.getByText('Hidden lines: 10,007', { exact: true }).waitFor();
    await page.keyboard.press('F8');
    await page.keyboard.press('F8');
    await until('the error before is selected', async () => (await selected(page)).includes('one more'));

    const start = performance.now();
    await choose(page, 'All lines');
    await rows.getByText('Flooded the console').waitFor();
    t.ok(performance.now() - start < QUICK_MS, `${Math.round(performance.now() - start)} ms`);
    await page.getByRole('button', { name: 'Jump to live' }).waitFor({ state: 'detached' });
    await choose(page, 'Errors');
    await choose(page, 'Warnings and errors');
    await choose(page, 'All lines');
    await rows.getByText(`line ${LINES}`).waitFor();
  });

  await t.test('stack traces are folded, and unfold by click or menu', async (t) => {
    const frames = Array.from({ length: 39 }, (_, index) => `\\tat demo.Server.frame${index + 1}(Server.java)`);
    await printer.print('[12:00:04 ERROR]: crashed', 'demo.CrashException: x', ...frames.slice(0, 20));
    await rows.getByText('▸ more lines: 18').waitFor();
    await printer.print(...frames.slice(20));
    await rows.getByText('▸ more lines: 37').waitFor();
    await printer.print(
      'Caused by: demo.OtherException',
      '\\tat demo.Other.run(Other.java)',
      '[12:00:05 INFO]: after it',
    );
    await rows.getByText('after it').waitFor();
    const trace = [
      ...[/crashed/, /CrashException/, /frame1\(/, /frame2\(/, /▸\smore\slines:\s37/],
      ...[/Caused by/, /demo.Other.run/, /after it/],
    ];
    t.match((await shownLines(page)).slice(-8), trace);

    // The screen is in front of its rows.
    await rows.getByText('▸ more lines: 37').click({ force: true });
    await rows.getByText('frame3(').waitFor();
    await page.getByRole('button', { name: 'Jump to live' }).click();
    await page.keyboard.press('F8');
    await until('frames are no errors of their own', async () => (await selected(page)).includes('Caused by'));
    await page.keyboard.press('F8');
    await until('the exception is one', async () => (await selected(page)).includes('CrashException'));

    await chooseInMenu(page, 'menuitemcheckbox', 'Fold stack traces');
    await rows.getByText('after it').waitFor();
    await rows.getByText('frame39(').waitFor();
    await chooseInMenu(page, 'menuitemcheckbox', 'Fold stack traces');
    await rows.getByText('▸ more lines: 37').waitFor();
  });

  await t.test('a search finds folded lines, and leaves them open', async () => {
    await page.keyboard.press('Control+f');
    await page.getByLabel('Search the console').fill('server.frame20(');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await rows.getByText('frame20(').waitFor();
    await page.keyboard.press('Escape');
    await rows.getByText('frame20(').waitFor();
    await chooseInMenu(page, 'menuitemcheckbox', 'Fold stack traces');
    await rows.getByText('▸ more lines: 37').waitFor();
  });

  await t.test('selected lines are shared with those that are folded between them', async (t) => {
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
    const share = async (name: string) => {
      await page.getByRole('button', { name: 'Share log lines' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    const frames = Array.from({ length: 5 }, (_, index) => `at demo.Shared.frame${index + 1}(Shared.java)`);
    await printer.print(
      ...[
        '[12:00:06 ERROR]: shared',
        'demo.SharedException: \\033[36mx\\033[m',
        ...frames.map((frame) => `\\t${frame}`),
      ],
      '[12:00:07 INFO]: below it',
    );
    await rows.getByText('below it').waitFor();
    await page.locator('.xterm-helper-textarea').focus();
    for (let line = 0; line < 6; line++) await page.keyboard.press('Shift+ArrowUp');
    t.match(await selected(page), /shared.*▸ more lines: 3.*below it/s);
    await page.locator('[aria-live=polite]').getByText('Selected lines: 6').waitFor();

    await page.getByRole('button', { name: 'Share log lines' }).click();
    await page.getByRole('menuitem', { name: 'Copy lines, with folded and hidden ones' }).waitFor();
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
    await page.keyboard.press('Escape');
    const lines = [
      ...['[12:00:06 ERROR]: shared', 'demo.SharedException: x', ...frames.map((frame) => `\t${frame}`)],
      '[12:00:07 INFO]: below it',
    ];
    await share('Copy for a report');
    await until('the report is copied', async () => (await clipboard()).startsWith('```'));
    const [fence, heading, ...rest] = (await clipboard()).split('\n');
    t.equal(fence, '```');
    t.match(heading, /^Printer · \S.* · \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    t.same(rest, [...lines, '```', '']);
    const saving = page.waitForEvent('download');
    await share('Save lines as file');
    const file = await saving;
    t.equal(file.suggestedFilename(), 'printer-selection.log');
    t.equal(await readFile(await file.path(), 'utf8'), `${lines.join('\n')}\n`);

    await page.locator('.xterm-screen').click({ position: { x: 5, y: 5 } });
    await share('Copy the last 200 lines');
    await until('the lines are copied', async () => (await clipboard()).endsWith(`${lines.join('\n')}\n`));
    t.equal((await clipboard()).split('\n').length, 201);
  });

  await t.test('a command that was sent from here stands out, also after a reload', async (t) => {
    await printer.api('POST', '/instances/printer/commands', { command: 'stty echo' });
    await page.getByLabel('Command', { exact: true }).fill('print [ERROR] echoed');
    await page.keyboard.press('Enter');
    await rows.getByText(/^\[ERROR\] echoed/).waitFor();
    t.equal(await page.locator('.console-command').count(), 1, 'has a mark');
    await visit('/servers/printer/console');
    await page.locator('.console-command').waitFor();
    t.equal(await colourOf(page, 'print [ERROR] echoed'), COLOURS.dark.brightBlue);
    t.equal(await colourOf(page, /^\[ERROR\] echoed/), COLOURS.dark.red);
    await choose(page, 'Errors');
    await rows.getByText('print [ERROR]').waitFor({ state: 'detached' });
    await page.locator('.console-command').waitFor({ state: 'detached' });
  });

  t.same(complaints, [], 'no errors in the browser console');
});

async function choose(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'menuitemradio', name);
}

async function chooseInMenu(page: Page, role: 'menuitemradio' | 'menuitemcheckbox', name: string): Promise<void> {
  await page.getByRole('button', { name: /^Show: / }).click();
  await page.getByRole(role, { name, exact: true }).click();
}

async function shownLines(page: Page): Promise<string[]> {
  const lines = await page.locator('.xterm-rows > div').allInnerTexts();
  return lines.filter((line) => line.trim() !== '');
}

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
