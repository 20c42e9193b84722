import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasErrorCode } from '../../../shared/errors/error-code.ts';
import { formatBytes } from '../terminal/quantities.ts';
import { Failure } from './failure.ts';
import type { Session } from './session.ts';

/** Downloads to a new file. Never replaces one. Leaves nothing behind if the copy breaks off. */
export async function copyOut(session: Session, address: string, output: string): Promise<void> {
  const target = path.resolve(output);
  const content = await session.api.open(address);
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(content, file);
  } catch (error) {
    content.destroy();
    if (hasErrorCode(error, 'EEXIST')) throw new Failure(`${target} exists already. Choose another name for the copy.`);
    await rm(target, { force: true });
    throw new Failure(`The copy broke off: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  session.answer(
    { success: true, file: target, sizeBytes: file.bytesWritten },
    ({ file: name, sizeBytes }) => `Copied ${formatBytes(sizeBytes)} to ${name}.`,
  );
}
