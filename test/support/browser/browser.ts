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

/** Without what a browser does on its own account: updates, sync, first-run pages. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What people hold in their hands. */
const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** Level AA of WCAG 2.2 and all that it builds on. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];

/** What a page may take, on a machine that does other things as well. Milliseconds. */
const PATIENCE_MS = 15_000;

export type Scheme = 'dark' | 'light';

/** How a window looks. */
export interface View {
  screen: keyof typeof SCREENS;
  scheme: Scheme;
}

/** A window of its own (its own cookies, its own storage) on the panel, and what a person could complain of. */
export interface PanelWindow {
  readonly page: Page;
  /** Errors in the browser's console, exceptions, requests to anybody but the daemon. */
  readonly complaints: readonly string[];
  /** Opens a page of the panel, such as `/servers/demo/console`, as its address does. */
  visit(path: string): Promise<void>;
  /** The same as a link inside the panel does: without loading everything anew. */
  follow(path: string): Promise<void>;
}

/** Debian's Chromium, closed with the test; `undefined` where it is missing and the test is left out. */
export async function startBrowser(t: Test, options: LaunchOptions = {}): Promise<Browser | undefined> {
  if (!requireProgram(t, 'chromium', 'chromium')) return undefined;
  const browser = await launchBrowser(options);
  t.teardown(() => browser.close());
  return browser;
}

/** Debian's Chromium; whoever calls closes it. */
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
  // Nobody is signed in at first: the browser itself notes that answer as an error.
  const isFirstQuestion = (url: string) => url === `${panel}/api/session`;
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = origin === panel || origin === panel.replace(/^http/, 'ws') || /^(?:data|blob):$/.test(protocol);
    if (!isOwn) complaints.push(`asks somebody else: ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !isFirstQuestion(message.location().url))
      complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(`exception: ${error.error().stack}`));
  context.setDefaultTimeout(PATIENCE_MS);
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

/** Types name and password, as a person does. */
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

/** The field that is labelled so, required or not. */
export function field(page: Page, label: string): Locator {
  return page.getByLabel(new RegExp(`^${label}(?: \\*)?$`));
}

/** Resolves once `element` is what the keyboard reaches. */
export function hasFocus(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor();
}

/** With the keyboard alone; `name` is the only entry that has these words. What is typed before the palette has the focus is lost. */
export async function chooseInPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await hasFocus(page.getByPlaceholder('Go to…'));
  await page.keyboard.type(name);
  const entries = page.locator('[data-action]');
  await until('nothing else is offered', async () => (await entries.count()) === 1);
  await entries.getByText(name).waitFor();
  await page.keyboard.press('Enter');
}

/** What axe finds wrong with the page as it is now; empty: nothing. The last scheme stays. */
export async function accessibilityFaults(page: Page, schemes: readonly Scheme[]): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await page.evaluate(COLOURS_HAVE_SETTLED);
    // Not as a script element: the panel's own policy forbids that.
    if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>(RUN_AXE);
    faults.push(
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => `${colorScheme}, ${id}: ${render(node)}`)),
    );
  }
  return faults;
}

/** Whether anything is wider than the window, so that the page scrolls sideways. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

/** The part of axe's answer that is used here. */
interface AxeResults {
  violations: { id: string; nodes: AxeNode[] }[];
}

interface AxeNode {
  html: string;
  failureSummary?: string;
}

/** Colours fade from one scheme to the other. */
const COLOURS_HAVE_SETTLED = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => undefined)`;

/** Targets of at least 24 pixels (2.5.8) axe looks at only if told to. */
const RUN_AXE = `axe.run(document, {
  runOnly: { type: 'tag', values: ${JSON.stringify(RULES)} },
  rules: { 'target-size': { enabled: true } },
})`;

function render({ html, failureSummary = '' }: AxeNode): string {
  return `${html}\n${failureSummary}`;
}
