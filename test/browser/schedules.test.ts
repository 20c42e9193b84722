import t from 'tap';
import {
  accessibilityFaults,
  field,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

interface Answer {
  schedules: { name: string; cron: string; timeZone: string; enabled: boolean; condition: string; action: object }[];
}

t.test(
  'schedules are added with a simple time or a cron expression, changed, disabled, deleted and restored',
  async (t) => {
    const browser = await startBrowser(t);
    if (!browser) return;
    const gamekeeper = await startGamekeeper(t);
    await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', port: await freePort() });
    const stored = async () => (await gamekeeper.api<Answer>('GET', '/instances/demo/schedules')).body.schedules;

    const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
    const { page, visit } = window;
    await signInAs(window, gamekeeper);
    await visit('/servers/demo/schedules');
    await page.getByRole('button', { name: 'Add schedule' }).click();
    const dialog = page.getByRole('dialog');
    t.equal(await dialog.getByLabel('Copy to off-site storage').count(), 0, 'there is no off-site storage');
    await field(page, 'Time').fill('4.30');
    await dialog.getByText('Every day at 04:30').waitFor();
    await dialog
      .getByText(/^\w+, .* \d{4},? (?:at )?04:30$/)
      .first()
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add schedule' }).click();
    await field(page, 'Name').fill('Quiet restart');
    await choose('Action', 'Restart');
    await dialog.getByPlaceholder('The server restarts in {time}.').waitFor();
    await choose('Condition', 'Only without players online');
    await choose('When', 'Every week');
    await choose('Day', 'Sunday');
    await field(page, 'Time').fill('03:30');
    await dialog.getByText('Every Sunday at 03:30').waitFor();
    t.equal(await dialog.getByLabel('Next five runs').getByRole('listitem').count(), 5);
    t.same(await accessibilityFaults(page, ['light', 'dark']), [], 'axe finds nothing');
    t.notOk(await scrollsSideways(page), 'it fits on a phone');

    await choose('When', 'Custom (cron)');
    const cron = dialog.getByLabel('Cron expression', { exact: true });
    t.equal(await cron.inputValue(), '30 3 * * 0', 'the expression starts as the chosen time');
    await cron.fill('0 0 30 2 *');
    await dialog.getByText('This never runs').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'cron' }).waitFor();
    t.same(await stored(), [], 'a time that never comes is not stored');
    await cron.fill('15 5 */2 * *');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    t.match(await stored(), [
      {
        name: 'Quiet restart',
        cron: '15 5 */2 * *',
        enabled: true,
        condition: 'empty',
        action: { type: 'restart', announce: { secondsBefore: [300, 60, 10] } },
      },
    ]);

    await page.getByText('At 05:15, every 2 days').waitFor();
    await page.getByRole('switch', { name: 'Enable Quiet restart' }).click({ force: true });
    await until('the schedule is disabled', async () => (await stored())[0]?.enabled === false);

    await page.getByRole('button', { name: 'Edit Quiet restart' }).click();
    await field(page, 'Name').fill('Restart');
    const [other] = await stored();
    await gamekeeper.api('PUT', '/instances/demo/schedules', {
      schedules: [other, { name: 'Theirs', cron: '0 4 * * *', action: { type: 'backup' } }],
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    t.same(
      (await stored()).map(({ name }) => name),
      ['Quiet restart', 'Theirs'],
      'the other change is not overwritten',
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    t.same(
      (await stored()).map(({ name }) => name),
      ['Restart', 'Theirs'],
      'the input was not lost',
    );

    await page.getByRole('button', { name: 'Delete Theirs?' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await until('the schedule is removed', async () => (await stored()).length === 1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await until('the schedule is back', async () => (await stored()).some(({ name }) => name === 'Theirs'));

    async function choose(label: string, option: string): Promise<void> {
      await dialog
        .locator('input')
        .and(dialog.getByLabel(label, { exact: true }))
        .click();
      await page.getByRole('option', { name: option, exact: true }).click();
    }
  },
);
