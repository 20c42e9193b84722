import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import { accessibilityFaults, field, openWindow, type Scheme, scrollsSideways, type View } from './browser.ts';
import { focusFaults } from './focus-faults.ts';

/**
 * Folder for pictures of every step. Without it none are taken.
 *
 *     GAMEKEEPER_STEPS=/tmp/steps npm test -- test/browser/newcomer.test.ts
 */
const PICTURES = process.env.GAMEKEEPER_STEPS;

const PASSWORD = 'a few words of my own';

/** Timeout for creating, copying or starting something on a busy machine. Milliseconds. */
export const PATIENCE = { timeout: 30_000 };

/** A user who has just started Gamekeeper for the first time, with a window on the panel. */
export interface Newcomer {
  readonly page: Page;
  readonly complaints: readonly string[];
  readonly phase: Locator;
  button(name: string): Locator;
  tab(name: string): Promise<void>;
  /** Checks the page with axe in both schemes, and that it fits. `withKeys` also checks each tab stop. */
  looksFine(what: string, options?: { withKeys?: boolean }): Promise<void>;
  /** Signs in with the printed password, replaces it, and opens "New server". */
  firstRun(): Promise<void>;
  backUp(): Promise<void>;
  /** Restores the only backup of the server with this name. */
  restore(name: string): Promise<void>;
  /** Opens the list of all servers. */
  seeAll(): Promise<void>;
}

/** `gamekeeper` must have generated its password: start it with an empty `GAMEKEEPER_ADMIN_PASSWORD`. */
export async function newcomer(t: Test, browser: Browser, gamekeeper: Gamekeeper, view: View): Promise<Newcomer> {
  const { page, complaints, visit } = await openWindow(browser, gamekeeper, view);
  const otherScheme: Scheme = view.scheme === 'dark' ? 'light' : 'dark';
  const phase = page.getByTestId('phase');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const tab = (name: string) => page.getByRole('tab', { name }).click();
  let steps = 0;

  async function takePicture(what: string): Promise<void> {
    if (!PICTURES) return;
    await mkdir(PICTURES, { recursive: true });
    const name = `${view.screen}-${view.scheme}-${String(++steps).padStart(2, '0')}-${what.replaceAll(' ', '-')}.png`;
    await page.screenshot({ path: join(PICTURES, name) });
  }

  async function looksFine(what: string, { withKeys = false } = {}): Promise<void> {
    await takePicture(what);
    t.same(await accessibilityFaults(page, [otherScheme, view.scheme]), [], `${what}: axe finds nothing`);
    t.notOk(await scrollsSideways(page), `${what}: fits into the window`);
    if (!withKeys) return;
    // Notifications cover the page until they close.
    await page.locator('.mantine-Notification-root').first().waitFor({ state: 'detached' });
    t.same(await focusFaults(page), [], `${what}: the keyboard focus is visible`);
  }

  return {
    ...{ page, complaints, phase, button, tab, looksFine },
    async firstRun() {
      const printed = /password {2}(\S+)/.exec(gamekeeper.output())?.[1] ?? '';
      await visit('/');
      await field(page, 'Username').fill('admin');
      await field(page, 'Password').fill(printed);
      await looksFine('sign-in', { withKeys: true });
      await button('Sign in').click();
      await field(page, 'Current password').waitFor();
      await page.reload();
      await button('Sign out').waitFor();
      await field(page, 'Current password').fill(printed);
      await field(page, 'New password').fill(PASSWORD);
      await field(page, 'Confirm new password').fill(PASSWORD);
      await looksFine('choosing a password');
      await button('Set password').click();
      await page.getByRole('heading', { name: 'No servers yet' }).waitFor();
      await looksFine('no servers', { withKeys: true });
      await page.getByRole('main').getByRole('link', { name: 'New server' }).click();
    },
    async backUp() {
      await tab('Backups');
      await button('Back up now').click();
      await page.getByRole('listitem').filter({ hasText: 'Manual' }).waitFor(PATIENCE);
      await looksFine('a backup');
    },
    async restore(name) {
      await tab('Backups');
      await page.getByRole('button', { name: /^Actions for the backup/ }).click();
      await page.getByRole('menuitem', { name: 'Restore', exact: true }).click();
      const question = page.getByRole('dialog');
      const restore = question.getByRole('button', { name: 'Restore' });
      t.ok(await restore.isDisabled(), 'a restore must be confirmed');
      const confirmation = question.getByLabel(`Type ${name} to confirm`);
      await confirmation.fill('another');
      await question.getByText(`This does not match ${name}.`).waitFor();
      await confirmation.fill(name);
      await looksFine('restore', { withKeys: true });
      await restore.click();
      await page.getByText('was restored').waitFor(PATIENCE);
      await page.getByRole('listitem').filter({ hasText: 'Before a restore' }).waitFor(PATIENCE);
      await phase.getByText('Stopped').waitFor(PATIENCE);
    },
    async seeAll() {
      if (view.screen === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'All servers' }).click();
    },
  };
}
