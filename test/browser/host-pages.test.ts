import t from 'tap';
import { accessibilityFaults, field, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** More than fit on a phone. */
const ENTRIES = 20;
const LONGEST_WORD = 'hello'.repeat(25);

t.test('host pages on a phone', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t, { env: { GAMEKEEPER_REMOTE_PORT: '0' } });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  for (let number = 1; number < ENTRIES; number++)
    await gamekeeper.api('PATCH', '/instances/demo', { name: `Demo ${number}` });
  // The newest entry, and one of the longest.
  await gamekeeper.api('DELETE', `/jobs/${LONGEST_WORD}`);
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);

  await t.test('no cell and no row of the audit log is cut', async (t) => {
    await visit('/host/audit');
    await page.getByText(LONGEST_WORD).waitFor();
    await until('all entries are shown', async () => (await page.locator('tbody tr').count()) >= ENTRIES);
    t.same(await page.evaluate(CUT_CELLS), []);
    t.ok(await page.evaluate(SHOWS_LAST_ROW), 'the last row can be scrolled into full view');
  });

  await t.test('a setting that a variable overrides is locked and names the variable', async (t) => {
    await visit('/host/remote');
    const port = field(page, 'API port');
    await port.waitFor();
    t.ok(await port.isDisabled());
    t.equal(await port.inputValue(), '', 'the stored value is not in force');
    t.match(await descriptionOf('API port'), /GAMEKEEPER_REMOTE_PORT/);
    await page.getByText(/These environment variables take precedence.*GAMEKEEPER_REMOTE_PORT/).waitFor();
    t.ok(await field(page, 'Listen address').isEnabled(), 'the others can be changed');
    t.same(await accessibilityFaults(page, ['dark', 'light']), []);
  });
  await t.test('without off-site storage, the page says what it is good for', async (t) => {
    await visit('/host/storage');
    await page.getByRole('heading', { name: 'No off-site storage yet', level: 3 }).waitFor();
    t.equal(await page.locator('main .picture').count(), 1);
    t.same(await accessibilityFaults(page, ['dark', 'light']), []);
    await page.getByRole('button', { name: 'Add storage' }).click();
    await page.getByRole('dialog').waitFor();
  });
  t.same(complaints, []);

  async function descriptionOf(label: string): Promise<string> {
    const id = (await field(page, label).getAttribute('aria-describedby')) ?? '';
    return page.locator(`[id="${id.split(' ')[0]}"]`).innerText();
  }
});

/** The texts of visible cells that are wider than shown, or not within their table's frame. */
const CUT_CELLS = `[...document.querySelectorAll('th, td')].filter((cell) => {
  if (!cell.checkVisibility()) return false;
  const inner = cell.getBoundingClientRect();
  const outer = cell.closest('.mantine-Paper-root').getBoundingClientRect();
  return cell.scrollWidth > cell.clientWidth || inner.left < outer.left || inner.right > outer.right;
}).map((cell) => cell.innerText)`;

const SHOWS_LAST_ROW = `(() => {
  scrollTo(0, document.documentElement.scrollHeight);
  const row = [...document.querySelectorAll('tbody tr')].at(-1).getBoundingClientRect();
  const frame = document.querySelector('table').closest('.mantine-Paper-root').getBoundingClientRect();
  return row.bottom <= frame.bottom && row.bottom <= innerHeight && row.top >= 0;
})()`;
