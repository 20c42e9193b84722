import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

export interface ServerWithFiles {
  id: string;
  /** Returns the path on this machine of a path in the server's folder. */
  at: (name: string) => string;
}

/** Creates a server with a configuration that has CRLF line endings and a secret, and a link out of its folder. */
export async function serverWithFiles(gamekeeper: Gamekeeper, id: string): Promise<ServerWithFiles> {
  await gamekeeper.api('POST', '/instances', { software: 'demo', name: id });
  const at = (name: string) => path.join(gamekeeper.home, 'instances', id, name);
  mkdirSync(at('plugins/shop'), { recursive: true });
  writeFileSync(at('plugins/shop/config.yml'), 'price: 1\r\npassword: hunter22\r\n');
  symlinkSync('/etc', at('plugins/way-out'));
  return { id, at };
}
