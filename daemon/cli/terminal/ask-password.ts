import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { Failure } from '../api/failure.ts';
import { printable } from './printable.ts';

/** Where a password comes from. Never an argument: every process of the machine can read those. */
export interface PasswordSource {
  passwordStdin?: boolean;
}

/**
 * Reads a password from stdin if asked to, otherwise twice from the terminal without showing it. Throws a Failure if there is no terminal or
 * the two differ.
 */
export async function askPassword({ passwordStdin }: PasswordSource, prompt: string): Promise<string> {
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!process.stdin.isTTY)
    throw new Failure(
      'There is no terminal to ask for the password. Use --password-stdin, or --generate for a new password.',
      {
        exitCode: EXIT.usage,
      },
    );
  using terminal = secretTerminal();
  const password = await terminal.ask(`${prompt}: `);
  if ((await terminal.ask('Repeat the password: ')) !== password)
    throw new Failure('The passwords do not match. Nothing has changed.');
  return password;
}

/** Reads lines from the terminal, with the usual keys for editing, and shows nothing of them until it is disposed of. */
function secretTerminal() {
  // With this TERM readline would treat the keys for editing as text.
  if (process.env.TERM === 'dumb') delete process.env.TERM;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // A user who pastes may send the next line before it is requested.
  const lines = editor[Symbol.asyncIterator]();
  return {
    /** Throws a Failure on Ctrl-C and Ctrl-D. */
    async ask(prompt: string): Promise<string> {
      process.stderr.write(printable(prompt));
      const line = await lines.next();
      process.stderr.write('\n');
      if (line.done) throw new Failure('No password was entered. Nothing has changed.');
      return line.value;
    },
    [Symbol.dispose]: () => editor.close(),
  };
}
