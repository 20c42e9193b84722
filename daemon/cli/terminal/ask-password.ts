import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { Failure } from '../api/failure.ts';

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
  using terminal = secretTerminal();
  const password = await terminal.ask(`${prompt}: `);
  if ((await terminal.ask('The same again: ')) !== password)
    throw new Failure('The two are not the same. Nothing has changed.');
  return password;
}

/** Lines from the terminal, with the usual keys for editing, of which nothing is shown from now until it is disposed of. */
function secretTerminal() {
  // There readline takes the keys for editing as text, since it could not show what they do; here nothing is shown anyway.
  if (process.env.TERM === 'dumb') delete process.env.TERM;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  // Who pastes may have given the next line before it is asked for.
  const lines = editor[Symbol.asyncIterator]();
  return {
    /** Throws Failure where the person leaves (Ctrl-C, Ctrl-D). */
    async ask(prompt: string): Promise<string> {
      process.stderr.write(prompt);
      const line = await lines.next();
      process.stderr.write('\n');
      if (line.done) throw new Failure('No password was given. Nothing has changed.');
      return line.value;
    },
    [Symbol.dispose]: () => editor.close(),
  };
}
