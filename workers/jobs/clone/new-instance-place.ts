import path from 'node:path';
import { deriveInstanceId } from '../../../shared/domain/instance/instance-id.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { JobQueue } from '../queue/queue.ts';
import type { Peers } from '../resources/peers.ts';
import { randomHex } from '../resources/random-hex.ts';

const KEY_DIGITS = 12;

/**
 * Returns an id, chosen before the job starts so that a request for a taken one fails at once. The caller adds the job before it waits for
 * anything else, or another job could claim the id. Throws `instance_exists`.
 */
export async function freeId(
  { id, name }: { id?: string | undefined; name: string },
  { peers, home, queue }: { peers: Peers; home: Home; queue: Pick<JobQueue, 'isClaimed'> },
): Promise<string> {
  const ids = new Set((await peers.daemon.instances()).map(({ config }) => config.id));
  if (id !== undefined) {
    if (ids.has(id)) throw new GamekeeperError('instance_exists', `There is an instance "${id}" already.`);
    const isFree = await isMissing(home.instanceDirectory(id));
    if (queue.isClaimed(id)) throw new GamekeeperError('instance_exists', `An instance "${id}" is being created.`);
    if (isFree) return id;
    throw new GamekeeperError('instance_exists', `A deleted instance "${id}" has left its folder.`, {
      resolution: 'Choose another id, or import the folder.',
    });
  }
  for (;;) {
    const derived = deriveInstanceId(name, (one) => ids.has(one));
    const isFree = await isMissing(home.instanceDirectory(derived));
    if (isFree && !queue.isClaimed(derived)) return derived;
    ids.add(derived);
  }
}

/** Returns a new path for a folder that will become an instance's: on the same disk as the others, and never mistaken for one of them. */
export function stagingFolder({ instances }: Home): string {
  return path.join(instances, `.gamekeeper-copy-${randomHex(KEY_DIGITS)}`);
}
