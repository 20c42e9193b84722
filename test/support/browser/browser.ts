import axe from 'axe-core';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import type { Test } from 'tap';
import { requireProgram } from '../machine/system-packages.ts';
import { until } from '../machine/until.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import { placeholderFaults } from './placeholder-faults.ts';

/**
 * Chromium obeys the last list only, so that this one repeats Playwright's for Linux (`chromiumSwitches.ts`). The first two are pages for the
 * address bar, which no test sees; with them, each window takes Chromium up to a second of CPU time more.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Turns off updates, sync and first-run pages. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** Long enough for a busy machine. */
const TIMEOUT_MS = 60_000;

export type Scheme = 'dark' | 'light';

export interface View {
  screen: keyof typeof SCREENS;
  scheme: Scheme;
}

/** A browser window with its own cookies and storage, on the panel. */
export interface PanelWindow {
  readonly page: Page;
  /** Errors in the browser's console, exceptions, and requests to other hosts. */
  readonly complaints: readonly string[];
  /** Loads a page of the panel, such as `/servers/demo/console`. */
  visit(path: string): Promise<void>;
  /** Goes to a page as a link in the panel does, without a reload. */
  follow(path: string): Promise<void>;
}

/** Starts Debian's Chromium for a test. Returns `undefined` if it is not installed; the test is then skipped. */
export async function startBrowser(t: Test, options: LaunchOptions = {}): Promise<Browser | undefined> {
  if (!requireProgram(t, 'chromium', 'chromium')) return undefined;
  const browser = await launchBrowser(options);
  t.teardown(() => browser.close());
  return browser;
}

/** Starts Debian's Chromium. The caller closes it. */
export function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS, ...options });
}

export async function openWindow(
  browser: Browser,
  { addresses }: Pick<Gamekeeper, 'addresses'>,
  { screen, scheme }: View,
  options: BrowserContextOptions = {},
): Promise<PanelWindow> {
  const { panel } = addresses();
  const context = await browser.newContext({
    viewport: SCREENS[screen],
    colorScheme: scheme,
    locale: 'en',
    reducedMotion: 'reduce',
    hasTouch: screen === 'phone',
    ...options,
  });
  const complaints: string[] = [];
  // The first request is answered with 401, which the browser logs as an error.
  const isFirstRequest = (url: string) => url === `${panel}/api/session`;
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = origin === panel || origin === panel.replace(/^http/, 'ws') || /^(?:data|blob):$/.test(protocol);
    if (!isOwn) complaints.push(`request to another host: ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !isFirstRequest(message.location().url))
      complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(`exception: ${error.error().stack}`));
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  return {
    page,
    complaints,
    visit: async (path) => {
      await page.goto(`${panel}/ui${path}`);
    },
    follow: (path) => page.evaluate(`history.pushState(null, '', '/ui${path}')`),
  };
}

/** Signs in by typing name and password. */
export async function signInAs(
  { page, visit }: PanelWindow,
  { username = 'admin', password }: { username?: string; password: string },
) {
  await visit('/');
  await field(page, 'Username').fill(username);
  await field(page, 'Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor({ state: 'attached' });
}

/** Returns the field with this label, required or not. */
export function field(page: Page, label: string): Locator {
  return page.getByLabel(new RegExp(`^${label}(?: \\*)?$`));
}

/** Resolves once `element` has the focus. */
export function hasFocus(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor();
}

/** Chooses an entry of the command palette by keyboard. Only one entry may contain `name`. */
export async function chooseInPalette(page: Page, name: string): Promise<void> {
  const search = page.getByPlaceholder('Go to…');
  await page.keyboard.press('Control+k');
  await hasFocus(search);
  // A menu that is closing may take the focus once more.
  await search.pressSequentially(name);
  const entries = page.locator('[data-action]');
  await until('one entry is left', async () => (await entries.count()) === 1);
  await entries.getByText(name).waitFor();
  await search.press('Enter');
}

/** Resolves once the page shows no skeleton and no spinner. */
export async function hasLoaded(page: Page): Promise<void> {
  const pending = page.locator('.mantine-Skeleton-root, .mantine-Loader-root');
  await until('everything has loaded', async () => (await pending.count()) === 0);
}

/** Resolves once the page has the colours of this scheme. */
export async function showScheme(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(COLOURS_HAVE_SETTLED);
}

/**
 * Returns axe's findings on the current page: all in the first scheme, of the others those on contrast, since nothing else differs. Also returns
 * placeholders that are hard to read. The last scheme stays set.
 */
export async function accessibilityFaults(page: Page, schemes: readonly Scheme[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, colorScheme] of schemes.entries()) {
    await showScheme(page, colorScheme);
    const axeFound = await (index === 0 ? axeFaults(page) : contrastFaults(page));
    const found = [...axeFound, ...(await placeholderFaults(page))];
    faults.push(...found.map((fault) => `${colorScheme}, ${fault}`));
  }
  return faults;
}

/** Returns axe's findings on the current page as it looks now. */
export function axeFaults(page: Page): Promise<string[]> {
  // axe checks target sizes (2.5.8) only on request.
  return runAxe(page, { runOnly: { type: 'tag', values: RULES }, rules: { 'target-size': { enabled: true } } });
}

function contrastFaults(page: Page): Promise<string[]> {
  return runAxe(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
}

/** Nobody reaches what is behind an open dialog, and the dialog may cover parts of it. */
async function runAxe(page: Page, options: object): Promise<string[]> {
  // A content security policy may forbid a script element.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run([...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${render(node)}`));
}

/** Whether the page is wider than the window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

interface AxeResults {
  violations: { id: string; nodes: AxeNode[] }[];
}

interface AxeNode {
  html: string;
  failureSummary?: string;
}

/** A change of the scheme is animated. */
const COLOURS_HAVE_SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => undefined)`;

function render({ html, failureSummary = '' }: AxeNode): string {
  return `${html}\n${failureSummary}`;
}
