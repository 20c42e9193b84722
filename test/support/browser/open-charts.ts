import type { Browser } from 'playwright-core';
import type { History } from '../../../shared/schema/history.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';
import { openWindow, signInAs, type View } from './browser.ts';

export interface ChartsWorld {
  browser: Browser;
  gamekeeper: Gamekeeper;
  /** Returns the history with this number of steps. */
  historyOf: (steps: number) => History;
}

/** Opens the charts of `demo` with a history of 61 steps that the test decides. */
export async function openCharts({ browser, gamekeeper, historyOf }: ChartsWorld, screen: View['screen']) {
  const options = { hasTouch: screen === 'phone', timezoneId: 'UTC', locale: 'en-US' };
  const window = await openWindow(browser, gamekeeper, { screen, scheme: 'dark' }, options);
  const { page, follow, complaints } = window;
  let steps = 61;
  let requests = 0;
  await page.route('**/instances/demo/history?range=*', (route) => {
    requests++;
    return route.fulfill({ json: historyOf(steps) });
  });
  await signInAs(window, gamekeeper);
  await follow('/servers/demo/charts');
  const chart = (title: string) => page.getByRole('figure').filter({ hasText: title });
  const plot = (title: string) => chart(title).locator('.u-over');
  await plot('RAM').waitFor();
  return {
    page,
    chart,
    plot,
    requests: () => requests,
    /** Adds two, so that one is in the middle again. */
    addSteps: () => {
      steps += 2;
    },
    async close(t: { same: (found: unknown, wanted: unknown) => unknown }) {
      t.same(complaints, []);
      await page.context().close();
    },
  };
}
