import { text } from 'node:stream/consumers';
import { hashPassword } from '../../../shared/node/passwords/password-hash.ts';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';
import { password as passwordRule } from '../../../shared/schema/credentials.ts';

/** Reads a password from stdin and resolves to its hash. Throws StartupError if `isGiven` is not set, or the password is too short or long. */
export async function hashFromStdin(command: 'add' | 'reset-password', isGiven = false): Promise<string> {
  if (!isGiven)
    throw wrongUsage(`Send the password on stdin: gamekeeper proxy user ${command} <name> --password-stdin < file`);
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!passwordRule.safeParse(password).success) throw wrongUsage('The password must have 8 to 256 characters.');
  return hashPassword(password);
}

export function wrongUsage(message: string): StartupError {
  return new StartupError(message, { exitCode: EXIT.usage });
}
