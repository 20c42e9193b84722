import type { Client } from 'ssh2';
import { type Operation, whileRemoteWorks } from '../transfer/operation.ts';

/** Runs `sha256sum` on the server, so nothing has to be read back. Returns `undefined` if that is not possible. */
export async function remoteSha256(client: Client, file: string, operation: Operation): Promise<string | undefined> {
  const { signal } = operation;
  try {
    const output = await whileRemoteWorks(operation, () => run(client, `sha256sum -- ${quoted(file)}`, signal));
    return /^\\?([0-9a-f]{64}) /.exec(output)?.[1];
  } catch {
    signal.throwIfAborted();
    return undefined; // the copy is read back instead, which reports what is wrong
  }
}

function run(client: Client, command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    client.exec(command, (error, channel) => {
      if (error) return reject(error);
      if (signal.aborted) return channel.close();
      signal.addEventListener('abort', () => channel.close(), { once: true });
      let output = '';
      channel.on('data', (data: Buffer) => {
        output += data.toString('latin1').slice(0, 8192 - output.length);
      });
      channel.stderr.resume();
      channel.on('error', reject);
      channel.on('close', () => {
        signal.removeEventListener('abort', onAbort);
        resolve(output);
      });
    });
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
