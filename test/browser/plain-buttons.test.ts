/** The plain elements that look like Mantine's buttons: another version of Mantine may draw its own in another way. */
import type { Locator } from 'playwright-core';
import t, { type Test } from 'tap';
import { openWindow, signInAs, startBrowser } from '../support/browser/browser.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/** What depends on the text inside. */
const BY_CONTENT = ['width', 'inline-size', 'perspective-origin', 'transform-origin'];
const BY_COLOUR = ['background-color', 'color', 'fill', 'stroke', /-color$/];

/** Runs in the page: returns the computed styles of a button and its parts, each as "part, property: value". */
const readStyles = new Function(
  'button',
  `return [button, ...button.querySelectorAll('span')].flatMap((part, index) => {
    const style = getComputedStyle(part);
    const own = [...style].filter((property) => !property.startsWith('--'));
    return own.map((property) => index + ', ' + property + ': ' + style.getPropertyValue(property));
  })`,
) as (button: unknown) => string[];

const STATES = {
  rest: (button: Locator) => button.blur(),
  hover: (button: Locator) => button.hover(),
  focus: (button: Locator) => button.focus(),
};

interface Pair {
  path: string;
  plain: Locator;
  real: Locator;
  /** Properties that may differ. */
  without?: readonly (string | RegExp)[];
}

async function stylesOf(button: Locator, without: Pair['without'] = []): Promise<string[]> {
  const styles = await button.evaluate(readStyles);
  const isLeftOut = (property: string) =>
    [...BY_CONTENT, ...without].some((each) => (typeof each === 'string' ? each === property : each.test(property)));
  return styles.filter((style) => !isLeftOut(style.replace(/^\d+, ([^:]+):.*$/s, '$1')));
}

t.test("plain buttons are drawn as Mantine's own", async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  for (const name of ['Running', 'Stopped']) await gamekeeper.api('POST', '/instances', { software: 'demo', name });
  await gamekeeper.api('POST', '/instances/running/start');
  await gamekeeper.waitForStatus('running', 'running');
  const window = await openWindow(browser, gamekeeper, { screen: 'desktop', scheme: 'light' });
  const { page, visit, complaints } = window;
  await signInAs(window, gamekeeper);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  /** Compares two buttons of a page at rest, under the mouse and with the focus, in both schemes. */
  async function alike(t: Test, { path, plain, real, without }: Pair) {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await visit(path);
      await real.waitFor();
      await plain.waitFor();
      // Focus that a script sets after a key was pressed shows its ring.
      await page.keyboard.press('Tab');
      for (const [state, reach] of Object.entries(STATES)) {
        const reached = async (button: Locator) => {
          await page.mouse.move(0, 0);
          await reach(button);
          return stylesOf(button, without);
        };
        t.same(await reached(plain), await reached(real), `${colorScheme}, ${state}`);
      }
    }
  }

  await t.test('a default button', (t) =>
    alike(t, { path: '/servers/running/files', plain: button('Restart'), real: button('New') }),
  );
  await t.test('a small subtle button with an icon', (t) =>
    alike(t, {
      path: '/servers/running/files',
      plain: page.getByRole('button', { name: /^Copy: / }).first(),
      real: button('How players join'),
    }),
  );
  await t.test('the button that starts a server, but for its colour', (t) =>
    alike(t, { path: '/servers/stopped/files', plain: button('Start'), real: button('Upload'), without: BY_COLOUR }),
  );
  t.same(complaints, []);
});
