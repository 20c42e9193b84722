/** What Gamekeeper holds back, and why: a schedule of a revoked token, a server whose processes still run. */
import t from 'tap';
import { accessibilityFaults, openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { signedInAdmin } from '../support/http/signed-in-user.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** It empties its environment, leaves the session, and removes the mark of its limits (test/security/escaped-processes.test.ts). */
const ESCAPED = `({ ulimit -w 3 || ulimit -x 3; } 2>/dev/null; env -i setsid sh -c 'trap "" TERM HUP INT; echo pid $$; exec >/dev/null 2>&1 </dev/null; while :; do sleep 0.1; done' &)`;

const browser = await startBrowser(t);
if (browser) {
  const gamekeeper = await startGamekeeper(t);
  const { api } = gamekeeper;
  const admin = await signedInAdmin(gamekeeper);
  await api('POST', '/instances', {
    name: 'Demo',
    software: 'custom',
    port: await freePort(),
    launch: { command: ['sh', '-c', `${ESCAPED}; echo up; read l; exit 0`] },
    readyPattern: '^up$',
  });
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);

  t.test('a schedule whose token was revoked says that it is paused, and why', async (t) => {
    const { body: token } = await admin.api<{ id: string; token: string }>('POST', '/api/tokens', { name: 'A script' });
    const schedule = { name: 'Nightly restart', cron: '30 4 * * *', action: { type: 'restart' } };
    const saved = await api(
      'PUT',
      '/instances/demo/schedules',
      { schedules: [schedule] },
      { authorization: `Bearer ${token.token}` },
    );
    t.equal(saved.status, 200);
    await visit('/servers/demo/schedules');
    await page.getByText('Nightly restart').waitFor();
    t.equal((await admin.api('DELETE', `/api/tokens/${token.id}`)).status, 204);
    await visit('/servers/demo/schedules');
    await page.getByText('The token that it was saved with was revoked or has expired.').waitFor();
    t.same(await accessibilityFaults(page, ['light', 'dark']), []);
    await visit('/');
    await page.getByRole('region', { name: 'Needs attention' }).getByText('A schedule is paused: Demo').waitFor();
  });

  t.test('a server with processes left names them, and says what to do', async (t) => {
    await api('POST', '/instances/demo/start');
    await gamekeeper.waitForStatus('demo', 'running');
    const pid = await until('the process runs', async () => {
      const { body } = await api<{ lines: string[] }>('GET', '/instances/demo/logs');
      return Number(/^pid (\d+)$/m.exec(body.lines.join('\n'))?.[1]) || undefined;
    });
    await api('POST', '/instances/demo/kill');
    await visit('/servers/demo');
    await page.getByText(`still run: sh (${pid}). Until they have ended`).waitFor();
    await page.getByTestId('phase').filter({ hasText: 'Stopping' }).waitFor();
    t.same(await accessibilityFaults(page, ['light', 'dark']), []);
    await api('POST', '/instances/demo/kill');
    await page.getByTestId('phase').filter({ hasText: 'Stopped' }).waitFor();
    await page.getByText('still run: ').waitFor({ state: 'detached' });
  });
}
