import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../machine/until.ts';

/** Slow enough to reload the page in the middle of an upload of some megabytes. Bytes a second. */
const SLOW_LINE = 100_000;

/** Slows down what the page uploads, also after a reload. Resolves to what ends that. */
export async function slowDownUploads(page: Page): Promise<() => Promise<void>> {
  const browser = await page.context().newCDPSession(page);
  const limit = async (uploadThroughput: number) => {
    await browser.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  };
  await browser.send('Network.enable');
  await limit(SLOW_LINE);
  return () => limit(-1);
}

/** Resolves once a folder, of a server or of the imports, has a part of an upload that arrives in pieces. */
export async function partOfUpload(folder: string): Promise<void> {
  const uploads = path.join(folder, '.gamekeeper-files/uploads');
  await until('a part of the upload has arrived', () => {
    const names = existsSync(uploads) ? readdirSync(uploads) : [];
    return names.some((name) => name.endsWith('.part') && statSync(path.join(uploads, name)).size > 0);
  });
}

/** Watches the uploads in pieces of a page. Returns the methods of their requests so far, with whether they begin at the start. */
export function watchUploads(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!/\/(?:files|import)\/uploads/.test(request.url())) return;
    requests.push(`${request.method()} ${Number(request.headers()['upload-offset'] ?? 0) > 0 ? 'later' : 'start'}`);
  });
  return requests;
}
