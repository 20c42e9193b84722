import { readFileSync } from 'node:fs';
import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';

/** Variables with secrets. Each can be in a file instead, named by the variable with `_FILE`. */
const SECRET_FILE = /^(DATABASE_URL|GAMEKEEPER_PROXY_(?:\w+_CLIENT_)?SECRET)_FILE$/;

/** Returns the environment with the content of the files that it names. Throws StartupError if a file cannot be read. */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = Object.entries(env).flatMap(([variable, file]) => {
    const [, name] = SECRET_FILE.exec(variable) ?? [];
    return name && file ? [[name, contentOf(variable, file)]] : [];
  });
  return { ...env, ...Object.fromEntries(read) };
}

function contentOf(variable: string, file: string): string {
  try {
    const content = readFileSync(file, 'utf8').trim();
    if (content !== '') return content;
  } catch (cause) {
    throw new StartupError(`${variable} names a file that cannot be read: ${(cause as Error).message}.`, {
      cause,
      exitCode: EXIT.usage,
    });
  }
  throw new StartupError(`${variable} names ${file}, which is empty.`, { exitCode: EXIT.usage });
}
