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

/** A download that has stood still for so long is given up. Milliseconds. */
const STALL_TIMEOUT_MS = 60_000;
/** How often a download that breaks off goes on without having got any further. */
const IDLE_ATTEMPTS = 3;
/** No server and no runtime is larger than this; the largest, Bedrock's, has 100 MB. Bytes. */
const MAX_BYTES = 1024 ** 3;

export interface Download {
  vendor: Vendor;
  url: string;
  /** Absolute path; its folder exists. Appears only whole and verified. */
  file: string;
  /** Absent: the vendor publishes none. */
  digest?: Digest | undefined;
  /** Absent: what the answer says it is. */
  bytes?: number | undefined;
  /** As in lines: "Java 21". */
  title: string;
  /** Counts the bytes. */
  phase?: Phase | undefined;
}

/**
 * Downloads a file and verifies it by the checksum that the vendor has announced, or at least by its size; says so at every quarter.
 * One that breaks off goes on where it was (RFC 9110, 14.2 and 13.1.5), now or when it is asked for again. Gives its SHA-256.
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
        `What ${hostOf(url)} sent for ${title} is not what was announced: its size or checksum is wrong.`,
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
    await partial.handle.close().catch(() => undefined); // closed already if all went well
    if (isDamaged) for (const left of [partial.file, partial.mark]) await rm(left, { force: true });
  }
}

/** What there is of a download, and what says which state of the vendor's file it is of. */
interface Partial {
  file: string;
  /** Beside it: URL and validator. */
  mark: string;
  handle: FileHandle;
  size: number;
  /** A strong ETag or a date, for If-Range; absent: it cannot be gone on with. */
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
    // None, or not whole: it begins anew.
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
      // It goes on only where it got further since, or a few times.
      idle = partial.size > before ? 0 : idle + 1;
      const isFinal =
        signal.aborted || error instanceof VendorAnswer || idle >= IDLE_ATTEMPTS || !(error instanceof Error);
      if (isFinal || error.name === 'GamekeeperError')
        return await asVendorError(vendor, url, signal, () => Promise.reject(error));
      if (partial.size > 0) yield { progress: `Downloading ${wanted.title} goes on after an interruption.` };
    }
  }
}

async function* fetchRest(partial: Partial, wanted: Download, signal: AbortSignal): Steps<void> {
  const { url, title, phase } = wanted;
  if (wanted.bytes !== undefined && partial.size >= wanted.bytes) {
    // All of it came before this process was killed: only verifying is left, and of what is behind its end no server has anything.
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
    // Ends the connection of a download that is not wanted any more.
    stalled.abort();
  }
}

/** Asks for what is missing, or for all of it where there is nothing to go on with, or nothing behind it. */
async function askForRest(partial: Partial, { vendor, url }: Download, signal: AbortSignal): Promise<Response> {
  // Of a compressed answer neither size nor ranges would be the file's.
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

/** The server sends all of it: it is the first time, or the file is another by now, or it knows no ranges. */
async function startAgain(partial: Partial, response: Response, url: string): Promise<void> {
  await partial.handle.truncate(0);
  partial.size = 0;
  const etag = response.headers.get('etag');
  // A weak one says nothing about bytes (RFC 9110, 8.8.1).
  const validator = etag?.startsWith('W/') ? null : (etag ?? response.headers.get('last-modified'));
  partial.validator = validator ?? undefined;
  if (validator === null) await rm(partial.mark, { force: true });
  else await writeFileAtomically(partial.mark, JSON.stringify({ url, validator }));
}

/** Infinity where nobody says. */
function totalOf(response: Response, had: number): number {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  return Number.isFinite(length) ? had + length : Number.POSITIVE_INFINITY;
}

function firstLine({ title, url }: Download, bytes: number, had: number): string {
  const size = Number.isFinite(bytes) ? ` (${megabytes(bytes)})` : '';
  const rest = had > 0 ? `, from ${megabytes(had)} on` : '';
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
