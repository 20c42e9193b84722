import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { isLoopback } from '../../../shared/node/loopback.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { LARGEST_ORIGINAL_BYTES } from '../../software/import/import-kind.ts';
import { Failure } from '../api/failure.ts';

const TIMEOUT_MS = 30_000;

export interface KindText {
  text: string;
  /** Of what an address answered, hexadecimal: it may answer something else the next time. */
  sha256?: string;
}

/** Reads a file, or what an `https:` address answers. Throws Failure if it cannot, or if it is larger than 1 MiB. */
export async function readKindText(source: string): Promise<KindText> {
  if (/^https?:\/\//i.test(source)) return download(source);
  try {
    const { size } = await stat(source);
    if (size > LARGEST_ORIGINAL_BYTES) throw tooLarge(source);
    return { text: await readFile(source, 'utf8') };
  } catch (cause) {
    if (!hasErrorCode(cause, 'ENOENT')) throw cause;
    throw new Failure(`${source} does not exist.`, { cause, exitCode: EXIT.usage });
  }
}

async function download(address: string): Promise<KindText> {
  const content: Buffer[] = [];
  let size = 0;
  try {
    requireSafe(address);
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    requireSafe(response.url);
    if (!response.ok) throw new Failure(`${address} answers with status ${response.status}.`);
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > LARGEST_ORIGINAL_BYTES) throw tooLarge(address);
      content.push(Buffer.from(chunk));
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(`${address} cannot be read: ${reasonOf(cause)}.`, { cause });
  }
  const bytes = Buffer.concat(content);
  return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Others on the way could change what an `http:` address answers. */
function requireSafe(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return;
  throw new Failure(`${address} is not safe. Use an address that begins with https://.`, { exitCode: EXIT.usage });
}

/** fetch has the reason of a failure below its own error. */
function reasonOf(error: unknown): string {
  const { message = String(error), cause } = error as Partial<Error>;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function tooLarge(source: string): Failure {
  return new Failure(`${source} is larger than 1 MiB.`);
}
