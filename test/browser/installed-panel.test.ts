/** The panel as an app: what a browser needs to install it. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { openWindow, startBrowser } from '../support/browser/browser.ts';
import { until } from '../support/machine/until.ts';
import { startGamekeeper } from '../support/processes/gamekeeper.ts';

/**
 * Where to draw the PNG icons again from `icon.svg`.
 *
 *     GAMEKEEPER_ICONS=gateway/panel/public npm test -- test/browser/installed-panel.test.ts
 */
const FOLDER = process.env.GAMEKEEPER_ICONS;

/** Of 255, on average: versions of Chromium smooth edges differently. */
const MAX_DIFFERENCE = 2;

interface Icon {
  src: string;
  sizes: string;
  type?: string;
  /** Systems cut such an icon to a circle or another shape, so it has no transparent corners and a margin. */
  purpose?: string;
}

/** iOS knows no purposes and puts transparent icons on black. */
const TOUCH_ICON: Icon = { src: 'apple-touch-icon.png', sizes: '180x180', purpose: 'maskable' };

t.test('the panel can be installed', async (t) => {
  const browser = await startBrowser(t);
  if (!browser) return;
  const gamekeeper = await startGamekeeper(t);
  const { page, visit, complaints } = await openWindow(browser, gamekeeper, { screen: 'phone', scheme: 'dark' });
  const devTools = await page.context().newCDPSession(page);
  await visit('/servers/demo/console');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const { url, errors, data = '{}' } = await devTools.send('Page.getAppManifest');

  await t.test('from a page below, without a service worker', async (t) => {
    t.same(errors, []);
    const { installabilityErrors } = await devTools.send('Page.getInstallabilityErrors');
    const found = installabilityErrors.map(({ errorId }) => errorId);
    // Test windows are private ones.
    t.same(
      found.filter((id) => id !== 'in-incognito'),
      [],
    );
    const manifest = await page.request.get(url);
    t.match(manifest.headers()['content-type'], /^application\/manifest\+json/);
    const { start_url: start, scope } = JSON.parse(data);
    const { panel } = gamekeeper.addresses();
    t.same([new URL(start, url).href, new URL(scope, url).href], [`${panel}/ui/`, `${panel}/ui/`]);
  });

  await t.test('its icons have their sizes and show the logo', async (t) => {
    const { icons } = JSON.parse(data) as { icons: Icon[] };
    for (const icon of [...icons.filter(({ type }) => type === 'image/png'), TOUCH_ICON]) {
      const { drawn, width, difference } = await page.evaluate<Drawing>(draw(icon));
      if (FOLDER) writeFileSync(path.join(FOLDER, icon.src), Buffer.from(drawn, 'base64'));
      else {
        t.equal(`${width}x${width}`, icon.sizes, icon.src);
        t.ok(difference < MAX_DIFFERENCE, `${icon.src} differs from the logo by ${difference}`);
      }
    }
  });

  await t.test('its frame has the colour of the page', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      await until(`the frame is ${colorScheme}`, () => page.evaluate<boolean>(FRAME_IS_LIKE_PAGE));
    }
  });

  await t.test('its logo is shown while it loads', async (t) => {
    const logo = page.getByRole('img', { name: 'Gamekeeper' });
    const isHeld = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/assets/index-*.js', (route) => isHeld.resolve(() => route.continue()));
    await page.reload({ waitUntil: 'commit' });
    const goOn = await isHeld.promise;
    await logo.waitFor();
    await goOn();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    t.equal(await logo.count(), 0);
  });
  t.same(complaints, []);
});

interface Drawing {
  /** The logo as this icon, a PNG in base64. */
  drawn: string;
  /** The served icon's, in pixels. */
  width: number;
  /** Between both, per pixel and channel. */
  difference: number;
}

/** Returns a script that draws an icon from the logo and compares it with the served file. */
function draw({ src, sizes, purpose }: Icon): string {
  const side = Number.parseInt(sizes, 10);
  const isFilled = purpose === 'maskable';
  const margin = isFilled ? side / 20 : 0;
  return `(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = ${side};
    const context = canvas.getContext('2d', { willReadFrequently: true });
    const load = async (name) => {
      const image = new Image();
      image.src = '/ui/' + name;
      await image.decode();
      return image;
    };
    const pixels = () => context.getImageData(0, 0, ${side}, ${side}).data;

    const source = await (await fetch('/ui/icon.svg')).text();
    context.fillStyle = ${isFilled} ? source.match(/fill="(#\\w+)"/)[1] : 'transparent';
    context.fillRect(0, 0, ${side}, ${side});
    context.drawImage(await load('icon.svg'), ${margin}, ${margin}, ${side - 2 * margin}, ${side - 2 * margin});
    const drawn = canvas.toDataURL('image/png').split(',')[1];
    const logo = pixels();

    context.clearRect(0, 0, ${side}, ${side});
    const served = await load(${JSON.stringify(src)});
    context.drawImage(served, 0, 0);
    const sum = pixels().reduce((total, value, index) => total + Math.abs(value - logo[index]), 0);
    return { drawn, width: served.naturalWidth, difference: sum / logo.length };
  })()`;
}

const FRAME_IS_LIKE_PAGE = `(() => {
  const probe = document.createElement('i');
  probe.style.color = document.querySelector('meta[name=theme-color]').content;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color === getComputedStyle(document.body).backgroundColor;
})()`;
