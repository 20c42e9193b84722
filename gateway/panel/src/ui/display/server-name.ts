import type { Instance } from '../../api/transport/client.ts';

type Named = Pick<Instance, 'id' | 'name' | 'isNamesake'>;

/** Returns a server's name for a sentence or a label, with its id if another server has the same name. Elsewhere, use `ServerName`. */
export function serverName({ id, name, isNamesake }: Named): string {
  return isNamesake ? `${name} (${id})` : name;
}

/** Returns the name of the server with this id, or the id if there is no such server any more. */
export function serverNameOf(id: string, instances: readonly Named[] = []): string {
  const instance = instances.find((each) => each.id === id);
  return instance ? serverName(instance) : id;
}
