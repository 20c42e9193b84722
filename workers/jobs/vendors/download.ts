import { createHash, randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory } from '../../../shared/node/atomic-file.ts';
import { requireSpace } from '../../../shared/node/free-space.ts';
import { megabytes, type Steps } from '../steps.ts';
import { asVendorError, hostOf, request, type Vendor, vendorError } from './vendor.ts';

/** A download that has stood still for so long is given up. Milliseconds. */
const STALL_TIMEOUT_MS = 60_000;

export interface Download {
  vendor: Vendor;
  url: string;
  /** Absolute path; its folder exists. Appears only whole and verified. */
  file: string;
  digest: { algorithm: 'sha1' | 'sha256'; hex: string };
  bytes: number;
  /** As in lines: "Java 21". */
  title: string;
}

/** Downloads a file whose size and checksum the vendor has announced; says so at every quarter. */
export async function* download(
  { vendor, url, file, digest, bytes, title }: Download,
  signal: AbortSignal,
): Steps<void> {
  await requireSpace(path.dirname(file), bytes, `Downloading ${title}`);
  yield { progress: `Downloading ${title} from ${hostOf(url)} (${megabytes(bytes)}).` };
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const handle = await open(partial, 'wx');
  try {
    const hash = createHash(digest.algorithm);
    let done = 0;
    for await (const chunk of chunksOf(vendor, url, signal)) {
      const quarter = Math.floor((done / bytes) * 4);
      done += chunk.length;
      if (done > bytes) break;
      hash.update(chunk);
      await handle.appendFile(chunk);
      const reached = Math.floor((done / bytes) * 4);
      if (reached > quarter && reached < 4) yield { progress: `Downloading ${title}: ${reached * 25} %.` };
    }
    if (done !== bytes || hash.digest('hex') !== digest.hex)
      throw vendorError(
        vendor,
        `What ${hostOf(url)} sent for ${title} is not what was announced: its size or checksum is wrong.`,
      );
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    await syncDirectory(path.dirname(file));
  } finally {
    await handle.close().catch(() => undefined); // closed already if all went well
    await rm(partial, { force: true });
  }
}

async function* chunksOf(vendor: Vendor, url: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const stall = () => stalled.abort(new DOMException('stalled', 'TimeoutError'));
  const timer = setTimeout(stall, STALL_TIMEOUT_MS);
  try {
    const either = AbortSignal.any([signal, stalled.signal]);
    const response = await asVendorError(vendor, url, signal, () => request(vendor, url, either));
    const reader = response.body!.getReader();
    for (;;) {
      const { value } = await asVendorError(vendor, url, signal, () => reader.read());
      if (value === undefined) return;
      timer.refresh();
      yield value;
    }
  } finally {
    clearTimeout(timer);
    // Ends the connection of a download that is not wanted any more.
    stalled.abort();
  }
}
