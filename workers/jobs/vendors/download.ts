import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { syncDirectory, writeFileAtomically } from '../../../shared/node/files/atomic-file.ts';
import { requireSpace } from '../../../shared/node/files/disk-space.ts';
import type { Phase } from '../queue/job-progress.ts';
import { megabytes, type Steps } from '../queue/steps.ts';
import type { Digest } from './digest.ts';
import { NoSuchRange, type RequestOptions, request, VendorAnswer } from './request.ts';
import { asVendorError, hostOf, type Vendor, vendorError } from './vendor.ts';

/** A download that receives nothing for this long is given up. Milliseconds. */
const STALL_TIMEOUT_MS = 60_000;
/** How many attempts may fail in a row without receiving anything. */
const IDLE_ATTEMPTS = 3;
/** Larger than any server or runtime; the largest, Bedrock's, has 100 MB. Bytes. */
const MAX_BYTES = 1024 ** 3;

export interface Download {
  vendor: Vendor;
  url: string;
  /** Absolute path in an existing folder. Appears only complete and verified. */
  file: string;
  /** Absent if the vendor publishes none. */
  digest?: Digest | undefined;
  /** Absent: the size in the response counts. */
  bytes?: number | undefined;
  /** For progress lines: "Java 21". */
  title: string;
  phase?: Phase | undefined;
}

/**
 * Downloads a file and verifies it by the vendor's checksum, or at least by its size. Yields progress at every quarter. An interrupted
 * download is resumed (RFC 9110, 14.2 and 13.1.5), now or by a later call. Returns the SHA-256.
 */
export async function* download(wanted: Download, signal: AbortSignal): Steps<string> {
  const { vendor, url, file, digest, title } = wanted;
  const partial = await openPartial(`${file}.partial`, url);
  let isDamaged = false;
  try {
    yield* fill(partial, wanted, signal);
    const { sha256, own } = await hashesOf(partial.handle, digest);
    isDamaged =
      (wanted.bytes !== undefined && partial.size !== wanted.bytes) || (digest && own !== digest.hex) === true;
    if (isDamaged)
      throw vendorError(
        vendor,
        `The download of ${title} from ${hostOf(url)} is damaged: its size or checksum is wrong.`,
      );
    await partial.handle.sync();
    await partial.handle.close();
    await rename(partial.file, file);
    await rm(partial.mark, { force: true });
    await syncDirectory(path.dirname(file));
    return sha256;
  } catch (error) {
    isDamaged ||= partial.size === 0;
    throw error;
  } finally {
    await partial.handle.close().catch(() => undefined); // already closed on success
    if (isDamaged) for (const left of [partial.file, partial.mark]) await rm(left, { force: true });
  }
}

/** A partial download, and which state of the vendor's file it is of. */
interface Partial {
  file: string;
  /** File beside it, with URL and validator. */
  mark: string;
  handle: FileHandle;
  size: number;
  /** A strong ETag or a date, for If-Range; absent: the download cannot be resumed. */
  validator: string | undefined;
}

async function openPartial(file: string, url: string): Promise<Partial> {
  const mark = `${file}.json`;
  const validator = await validatorIn(mark, url);
  const handle = await open(file, validator === undefined ? 'w+' : 'a+');
  const { size } = await handle.stat();
  return { file, mark, handle, size, validator };
}

async function validatorIn(mark: string, url: string): Promise<string | undefined> {
  try {
    const said = JSON.parse(await readFile(mark, 'utf8')) as { url?: unknown; validator?: unknown };
    return said.url === url && typeof said.validator === 'string' ? said.validator : undefined;
  } catch {
    // Missing or not valid: the download starts over.
    return undefined;
  }
}

async function* fill(partial: Partial, wanted: Download, signal: AbortSignal): Steps<void> {
  const { vendor, url } = wanted;
  for (let idle = 0; ; ) {
    const before = partial.size;
    try {
      return yield* fetchRest(partial, wanted, signal);
    } catch (error) {
      // Retries after progress, and a few times without.
      idle = partial.size > before ? 0 : idle + 1;
      const isFinal =
        signal.aborted || error instanceof VendorAnswer || idle >= IDLE_ATTEMPTS || !(error instanceof Error);
      if (isFinal || error.name === 'GamekeeperError')
        return await asVendorError(vendor, url, signal, () => Promise.reject(error));
      if (partial.size > 0) yield { progress: `Resuming the download of ${wanted.title}.` };
    }
  }
}

async function* fetchRest(partial: Partial, wanted: Download, signal: AbortSignal): Steps<void> {
  const { url, title, phase } = wanted;
  if (wanted.bytes !== undefined && partial.size >= wanted.bytes) {
    // It was complete when the process was killed: only the verification is left, and servers refuse a range behind the end.
    phase?.progress.advance(partial.size - phase.progress.done);
    return;
  }
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new DOMException('stalled', 'TimeoutError')), STALL_TIMEOUT_MS);
  try {
    const response = await askForRest(partial, wanted, AbortSignal.any([signal, stalled.signal]));
    if (response.status !== 206) await startAgain(partial, response, url);
    const bytes = wanted.bytes ?? totalOf(response, partial.size);
    if (Number.isFinite(bytes) && bytes > MAX_BYTES) throw new VendorAnswer(`sends ${megabytes(bytes)} for ${title}`);
    if (Number.isFinite(bytes))
      await requireSpace(path.dirname(partial.file), bytes - partial.size, `Downloading ${title}`);
    yield { progress: firstLine(wanted, bytes, partial.size) };
    if (phase && phase.progress.total === 0 && Number.isFinite(bytes)) phase.progress.expect(bytes);
    phase?.progress.advance(partial.size - phase.progress.done);
    for await (const chunk of response.body ?? []) {
      timer.refresh();
      const quarter = Math.floor((partial.size / bytes) * 4);
      await partial.handle.appendFile(chunk);
      partial.size += chunk.length;
      phase?.progress.advance(chunk.length);
      if (partial.size > Math.min(bytes, MAX_BYTES)) return;
      const reached = Math.floor((partial.size / bytes) * 4);
      if (reached > quarter && reached < 4) yield { progress: `Downloading ${title}: ${reached * 25} %.` };
    }
  } finally {
    clearTimeout(timer);
    // Closes the connection if the caller stops early.
    stalled.abort();
  }
}

/** Requests the rest, or the whole file if nothing can be resumed or the server has no further bytes. */
async function askForRest(partial: Partial, { vendor, url }: Download, signal: AbortSignal): Promise<Response> {
  // Sizes and ranges of a compressed response would not be the file's.
  const whole: RequestOptions = { headers: { 'accept-encoding': 'identity' }, signal };
  if (partial.size === 0 || partial.validator === undefined) return request(vendor, url, whole);
  const range = { range: `bytes=${partial.size}-`, 'if-range': partial.validator };
  try {
    return await request(vendor, url, { ...whole, headers: { ...whole.headers, ...range } });
  } catch (error) {
    if (!(error instanceof NoSuchRange)) throw error;
    return request(vendor, url, whole);
  }
}

/** The server sends everything: it is the first request, the file has changed, or the server knows no ranges. */
async function startAgain(partial: Partial, response: Response, url: string): Promise<void> {
  await partial.handle.truncate(0);
  partial.size = 0;
  const etag = response.headers.get('etag');
  // A weak ETag says nothing about bytes (RFC 9110, 8.8.1).
  const validator = etag?.startsWith('W/') ? null : (etag ?? response.headers.get('last-modified'));
  partial.validator = validator ?? undefined;
  if (validator === null) await rm(partial.mark, { force: true });
  else await writeFileAtomically(partial.mark, JSON.stringify({ url, validator }));
}

/** Infinity if it is not known. */
function totalOf(response: Response, had: number): number {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  return Number.isFinite(length) ? had + length : Number.POSITIVE_INFINITY;
}

function firstLine({ title, url }: Download, bytes: number, had: number): string {
  const size = Number.isFinite(bytes) ? ` (${megabytes(bytes)})` : '';
  const rest = had > 0 ? `, resuming at ${megabytes(had)}` : '';
  return `Downloading ${title} from ${hostOf(url)}${size}${rest}.`;
}

async function hashesOf(handle: FileHandle, digest: Digest | undefined): Promise<{ sha256: string; own: string }> {
  const sha256 = createHash('sha256');
  const own = digest && digest.algorithm !== 'sha256' ? createHash(digest.algorithm) : undefined;
  const hashes: Hash[] = own ? [sha256, own] : [sha256];
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false }))
    for (const hash of hashes) hash.update(chunk);
  const hex = sha256.digest('hex');
  return { sha256: hex, own: own?.digest('hex') ?? hex };
}
