import t from 'tap';
import { problemText } from '../../gateway/panel/src/ui/feedback/problems/problems.ts';
import { NO_ANSWER } from '../../shared/domain/players/player-answer.ts';
import {
  accessibilityFaults,
  hasLoaded,
  openWindow,
  scrollsSideways,
  signInAs,
  startBrowser,
} from '../support/browser/browser.ts';
import { untranslatedTexts } from '../support/browser/panel-texts.ts';
import { freePort } from '../support/machine/free-port.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

const SERVER = [
  'players',
  'properties',
  'files',
  'worlds',
  'backups',
  'schedules',
  'charts',
  'crashes',
  'tunnel',
  'settings',
  'console',
];
const HOST = ['users', 'tokens', 'account', 'storage', 'remote', 'link', 'games', 'java', 'audit', 'about'];
const PAGES = [
  '/new',
  ...SERVER.map((tab) => `/servers/demo/${tab}`),
  '/servers/plugins/mods',
  ...HOST.map((page) => `/host/${page}`),
  '/nowhere',
];

/** Elements that name something. */
const NAMES = 'h1, h2, h3, label, legend, th, button, a, [role=tab], [role=switch]';
/** Badges whose words do not fit. */
const CUT_BADGES = `[...document.querySelectorAll('.mantine-Badge-label')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)`;
const VISIBLE_NAMES = `[...document.querySelectorAll('${NAMES}')].filter((each) => each.checkVisibility()).flatMap((each) => [each.innerText.trim(), each.ariaLabel ?? ''])`;

t.test('every page in German and Chinese is translated, fits on a phone and passes axe', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'paper', name: 'Plugins', version: '1.21.4' });
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo', maxPlayers: 20 });
  await gamekeeper.api('POST', '/instances/demo/start');
  await gamekeeper.waitForStatus('demo', 'running');
  await gamekeeper.api('POST', '/instances/demo/commands', { command: 'demo join Steve' });
  await gamekeeper.api('POST', '/instances/demo/backup', {});
  await gamekeeper.api('PUT', '/instances/demo/schedules', {
    schedules: [{ name: 'Nightly', cron: '0 4 * * *', action: { type: 'backup' } }],
  });
  t.equal((await gamekeeper.api('POST', '/instances/demo/start')).status, 409, 'the audit log has a rejected request');
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'light' });
  const { page, visit, follow, complaints } = window;
  // Without requests to Modrinth.
  await page.route('**/mods/search?*', (route) =>
    route.fulfill({ json: { hits: [], offset: 0, limit: 20, total: 0 } }),
  );
  await signInAs(window, gamekeeper);

  for (const language of ['de', 'zh']) {
    const untranslated = await untranslatedTexts(language);
    await page.evaluate(`localStorage.setItem('gamekeeper.language', '${language}')`);
    await visit('/');
    await looksFine('/');
    for (const path of PAGES) {
      const before = await page.title();
      await follow(path);
      await until('the page has changed', async () => (await page.title()) !== before);
      await looksFine(path);
    }

    async function looksFine(path: string): Promise<void> {
      const where = `${path} (${language})`;
      await page.locator('main').locator('h1, h2').first().waitFor();
      await hasLoaded(page);
      const names = await page.evaluate<string[]>(VISIBLE_NAMES);
      t.same(
        [...new Set(names)].filter((name) => untranslated.has(name)),
        [],
        `${where}: everything is translated`,
      );
      t.same(await accessibilityFaults(page, ['light']), [], `${where}: axe finds nothing`);
      t.notOk(await scrollsSideways(page), `${where}: fits into the window`);
      t.same(await page.evaluate(CUT_BADGES), [], `${where}: no badge is cut`);
    }
  }
  t.same(complaints, [], 'no errors in the browser console, no requests to other hosts');
});

t.test('what the panel did is said in its language, and English words of the daemon are marked', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  await gamekeeper.api('PUT', '/instances/demo/properties', { properties: { 'online-mode': 'false' } });
  await gamekeeper.api('POST', '/instances', {
    software: 'custom',
    name: 'Broken',
    port: await freePort(),
    launch: { command: ['sh', '-c', 'exit 3'] },
    crashPolicy: { restart: 'never', maxRestarts: 0, windowSeconds: 600 },
  });
  await gamekeeper.api('POST', '/instances/broken/start');
  const crashesOf = async () =>
    (await gamekeeper.api<{ crashes: { reason: string }[] }>('GET', '/instances/broken/crashes')).body.crashes;
  await until('the crash is recorded', async () => (await crashesOf()).length > 0);
  const [{ reason } = { reason: '' }] = await crashesOf();
  const window = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const { page, visit } = window;
  await signInAs(window, gamekeeper);
  const words = {
    de: {
      name: 'Spielername',
      apply: 'Ausführen',
      done: 'Anna_de auf die Whitelist gesetzt',
      unanswered: 'Er hat nicht gemeldet, ob es geklappt hat.',
    },
    zh: { name: '玩家名称', apply: '执行', done: '已将 Anna_zh 加入白名单', unanswered: '但服务器未报告是否成功' },
  };
  for (const [language, { name, apply, done, unanswered }] of Object.entries(words)) {
    await page.evaluate(`localStorage.setItem('gamekeeper.language', '${language}')`);
    await visit('/servers/demo/players');
    await page.getByLabel(name, { exact: true }).fill(`Anna_${language}`);
    await page.getByRole('button', { name: apply, exact: true }).click();
    const message = page.getByRole('alert').filter({ hasText: done });
    await message.waitFor();
    t.notMatch(await message.innerText(), /Added/, "not the server's own words");
    for (const [answer, shown] of [
      [NO_ANSWER, unanswered],
      ['Player not banned', 'Player not banned'],
    ] as const) {
      await page.route('**/whitelist', (route) => route.fulfill({ json: { success: true, message: answer } }));
      await page.getByLabel(name, { exact: true }).fill('Ben');
      await page.getByRole('button', { name: apply, exact: true }).click();
      await page.getByRole('alert').filter({ hasText: shown }).waitFor();
      t.equal(await page.locator('[lang=en]').filter({ hasText: answer }).count(), 0, "not marked as the daemon's");
      await page.unroute('**/whitelist');
    }
    await visit('/servers/broken/crashes');
    for (const place of [page.getByRole('alert'), page.getByRole('listitem')])
      await place.locator('[lang=en]').filter({ hasText: reason }).waitFor();
  }
});

t.test('a failed sign-in and errors of the daemon are translated, with the detail as it was', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: 'Demo' });
  const words = {
    en: {
      user: 'Username',
      signIn: 'Sign in',
      wrong: 'Wrong username or password',
      tooBig: 'Must be at most 1024 GB.',
    },
    de: {
      user: 'Benutzername',
      signIn: 'Anmelden',
      wrong: 'Benutzername oder Passwort falsch',
      tooBig: 'Darf höchstens 1024 GB sein.',
    },
    zh: { user: '用户名', signIn: '登录', wrong: '用户名或密码错误', tooBig: '不能大于 1024 GB。' },
  };
  for (const [locale, { user, signIn, wrong, tooBig }] of Object.entries(words)) {
    const { page, visit } = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' }, { locale });
    const passwords = page.locator('form').first().locator('input[type=password]');
    const alert = page.getByRole('alert');
    await visit('/');
    await page.getByLabel(user).fill('admin');
    await passwords.fill('not the password');
    await page.getByRole('button', { name: signIn, exact: true }).click();
    await alert.getByText(wrong, { exact: true }).waitFor();
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], `axe finds nothing (${locale})`);
    await passwords.fill(gamekeeper.password);
    await page.getByRole('button', { name: signIn, exact: true }).click();
    await page.getByRole('navigation').waitFor({ state: 'attached' });
    await visit('/host/account');
    await passwords.nth(0).fill('not the password');
    await passwords.nth(1).fill('several other words');
    await page.locator('form').first().locator('button[type=submit]').click();
    const { about } = problemText('invalid_request', locale as keyof typeof words) ?? {};
    if (about !== undefined) await alert.getByText(about).waitFor();
    const detail = about === undefined ? alert : alert.locator('[lang=en]');
    t.match(await detail.innerText(), /"currentPassword" is not your password/, 'what the daemon said');
    t.same(await accessibilityFaults(page, ['dark', 'light']), [], `axe finds nothing (${locale})`);
    await visit('/servers/demo/settings');
    const memory = page.locator('input[value$=" GB"]');
    await memory.fill('100000');
    await memory.locator('xpath=ancestor::form').locator('button[type=submit]').click();
    await page.getByText(tooBig, { exact: true }).waitFor();
    await page.context().close();
  }
});
