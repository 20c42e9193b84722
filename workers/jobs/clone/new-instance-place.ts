import path from 'node:path';
import { deriveInstanceId } from '../../../shared/domain/instance/instance-id.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { Peers } from '../resources/peers.ts';
import { randomHex } from '../resources/random-hex.ts';

const KEY_DIGITS = 12;

/** Returns an id, chosen before the job starts so that a request for a taken one fails at once. Throws `instance_exists`. */
export async function freeId(
  { id, name }: { id?: string | undefined; name: string },
  { peers, home }: { peers: Peers; home: Home },
): Promise<string> {
  const ids = new Set((await peers.daemon.instances()).map(({ config }) => config.id));
  if (id !== undefined) {
    if (ids.has(id)) throw new GamekeeperError('instance_exists', `There is an instance "${id}" already.`);
    if (await isMissing(home.instanceDirectory(id))) return id;
    throw new GamekeeperError('instance_exists', `A deleted instance "${id}" has left its folder.`, {
      resolution: 'Choose another id, or import the folder.',
    });
  }
  for (;;) {
    const derived = deriveInstanceId(name, (one) => ids.has(one));
    if (await isMissing(home.instanceDirectory(derived))) return derived;
    ids.add(derived);
  }
}

/** Returns a new path for a folder that will become an instance's: on the same disk as the others, and never mistaken for one of them. */
export function stagingFolder({ instances }: Home): string {
  return path.join(instances, `.gamekeeper-copy-${randomHex(KEY_DIGITS)}`);
}
