import { deriveInstanceId } from '../../../shared/domain/instance-id.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { isMissing } from '../../../shared/node/files/is-missing.ts';
import type { Peers } from '../resources/peers.ts';

/**
 * The id of an instance that long work is going to make, with a folder of its own: chosen before, since who asks for one that is taken
 * should hear it at once. Throws `instance_exists`.
 */
export async function freeId(
  { id, name }: { id?: string | undefined; name: string },
  { peers, folderOf }: { peers: Peers; folderOf(id: string): string },
): Promise<string> {
  const ids = new Set((await peers.daemon.instances()).map(({ config }) => config.id));
  if (id !== undefined) {
    if (ids.has(id)) throw new GamekeeperError('instance_exists', `There is an instance "${id}" already.`);
    if (await isMissing(folderOf(id))) return id;
    throw new GamekeeperError('instance_exists', `A deleted instance "${id}" has left its folder.`, {
      resolution: 'Choose another id, or import the folder.',
    });
  }
  for (;;) {
    const derived = deriveInstanceId(name, (one) => ids.has(one));
    if (await isMissing(folderOf(derived))) return derived;
    ids.add(derived);
  }
}
