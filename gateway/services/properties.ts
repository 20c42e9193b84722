import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { entityTag, ifMatchHolds } from '../http/entity-tag.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export interface VersionedProperties {
  properties: Record<string, string>;
  /** An entity tag, quoted. */
  etag: string;
}

export interface PropertiesService {
  read(id: string): Promise<VersionedProperties>;
  /** Sets the named keys. Throws `precondition_failed` when `ifMatch` names another version than the present one. */
  write(id: string, properties: Record<string, string>, ifMatch: string | undefined): Promise<VersionedProperties>;
}

export function propertiesService({ supervisors }: { supervisors: Supervisors }): PropertiesService {
  return {
    async read(id) {
      const { properties, etag } = await supervisors.ask(id, (supervisor) => supervisor.properties());
      return { properties, etag: entityTag(etag) };
    },
    async write(id, properties, ifMatch) {
      const supervisor = await supervisors.of(id);
      // The header may name several versions, or any; the supervisor compares with exactly one.
      const current = ifMatch === undefined ? undefined : (await supervisor.properties()).etag;
      if (current !== undefined && !ifMatchHolds(ifMatch, entityTag(current)))
        throw new GamekeeperError('precondition_failed', 'The properties have changed since you read them.');
      const written = await supervisor.setProperties({
        properties,
        ...(current !== undefined && { ifMatch: current }),
      });
      return { properties: written.properties, etag: entityTag(written.etag) };
    },
  };
}
