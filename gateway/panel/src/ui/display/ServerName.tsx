import type { Instance } from '../../api/transport/client.ts';

/** A server's name, with its id if another server has the same name. */
export function ServerName({ instance: { id, name, isNamesake } }: { instance: Instance }) {
  return (
    <>
      <bdi>{name}</bdi>
      {isNamesake && <span className="namesake-id">{` (${id})`}</span>}
    </>
  );
}
