import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT } from '../../shared/node/exit-codes.ts';
import { Failure } from './failure.ts';

/** Where a password comes from: never from an argument, which every process of the machine can read. */
export interface PasswordSource {
  passwordStdin?: boolean;
}

/**
 * A password, from stdin where that was asked for, else typed twice on the terminal, where it is not shown. Throws the Failure that
 * tells what to do where there is no terminal, or the two differ.
 */
export async function askPassword({ passwordStdin }: PasswordSource, prompt: string): Promise<string> {
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY)
    throw new Failure(
      'There is no terminal to ask for the password. Use --password-stdin, or --generate for a new one.',
      {
        exitCode: EXIT.usage,
      },
    );
  const password = await readSecretly(`${prompt}: `);
  if ((await readSecretly('The same again: ')) !== password)
    throw new Failure('The two are not the same. Nothing has changed.');
  return password;
}

/** A line from the terminal, with the usual keys for editing, of which nothing is shown. */
function readSecretly(prompt: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Only now: from here on the terminal itself shows nothing of what is typed.
  process.stderr.write(prompt);
  return new Promise((resolve, reject) => {
    editor.once('line', (line) => {
      editor.removeAllListeners('close');
      editor.close();
      process.stderr.write('\n');
      resolve(line);
    });
    // Ctrl-C and Ctrl-D.
    editor.once('close', () => {
      process.stderr.write('\n');
      reject(new Failure('No password was given. Nothing has changed.'));
    });
  });
}
