import type { Client } from 'ssh2';
import { type Conversation, patiently } from '../transfer/conversation.ts';

/**
 * What `sha256sum` on the server says, so that nothing has to be read back; undefined where the user may not run programs, or the
 * program is not there or does not see the file under this path.
 */
export async function farSha256(client: Client, file: string, conversation: Conversation): Promise<string | undefined> {
  const { signal } = conversation;
  try {
    const output = await patiently(conversation, () => run(client, `sha256sum -- ${quoted(file)}`, signal));
    return /^\\?([0-9a-f]{64}) /.exec(output)?.[1];
  } catch {
    signal.throwIfAborted();
    return undefined; // Reading back will tell, and say what is wrong if something is.
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

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
