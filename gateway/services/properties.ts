import { entityTag, ifMatchHolds } from '../../shared/domain/http/entity-tag.ts';
import { isSecretProperty, propertiesOfVersion } from '../../shared/domain/properties/known-properties.ts';
import { liveSource } from '../../shared/domain/properties/live-property.ts';
import type { Effect, KnownProperty } from '../../shared/domain/properties/property.ts';
import { softwareOf } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { PropertiesSchema, Property } from '../../shared/schema/properties.ts';
import type { InstanceView } from '../upstream/instance-view.ts';
import { refreshRuntime } from '../upstream/refresh-runtime.ts';
import type { Supervisors } from '../upstream/supervisors.ts';

export interface VersionedProperties {
  properties: Record<string, string>;
  /** An entity tag, quoted. */
  etag: string;
  /** After a change: when each changed property is in effect. */
  effects?: Record<string, Effect>;
}

export interface PropertiesService {
  read(id: string): Promise<VersionedProperties>;
  /** Sets the named keys. Throws `precondition_failed` if `ifMatch` names another version. */
  write(id: string, properties: Record<string, string>, ifMatch: string | undefined): Promise<VersionedProperties>;
  schema(id: string): Promise<PropertiesSchema>;
}

/** A running server gets some seconds to take the values, and a change waits for those before it. */
const CHANGE_TIMEOUT_MS = 30_000;

const LINKED: Readonly<Record<string, NonNullable<Property['setting']>>> = {
  'server-port': 'port',
  'max-players': 'maxPlayers',
  'rcon.port': 'rcon.port',
};

export interface PropertiesOptions {
  supervisors: Supervisors;
  view: InstanceView;
}

export function createPropertiesService({ supervisors, view }: PropertiesOptions): PropertiesService {
  /** Refreshes the instance in the view if its settings were taken from the file. */
  async function answer(id: string, { properties, etag, effects }: VersionedProperties): Promise<VersionedProperties> {
    const { config } = await view.get(id);
    const known = { 'server-port': config.port, 'max-players': config.maxPlayers, 'rcon.port': config.rcon?.port };
    const isOld = Object.entries(known).some(
      ([key, value]) => value !== undefined && properties[key] !== undefined && properties[key] !== String(value),
    );
    if (isOld) await view.refresh(id);
    return { properties, etag: entityTag(etag), ...(effects && { effects }) };
  }

  return {
    read: async (id) => answer(id, await supervisors.ask(id, (supervisor) => supervisor.properties())),
    async write(id, properties, ifMatch) {
      const supervisor = await supervisors.of(id);
      // The header may name several versions, or any; the supervisor compares exactly one.
      const current = ifMatch === undefined ? undefined : (await supervisor.properties()).etag;
      if (current !== undefined && !ifMatchHolds(ifMatch, entityTag(current)))
        throw new GamekeeperError('precondition_failed', 'The properties have changed since you read them.');
      const written = await answer(
        id,
        await supervisor.setProperties(
          { properties, ...(current !== undefined && { ifMatch: current }) },
          { timeoutMs: CHANGE_TIMEOUT_MS },
        ),
      );
      await refreshRuntime(id, supervisor, view).catch(() => undefined); // what waits for a restart now
      return written;
    },
    async schema(id) {
      const { config } = await view.get(id);
      const definition = softwareOf(config.software);
      const { settingsFile } = definition ?? {};
      return {
        file: settingsFile ?? 'server.properties',
        properties:
          settingsFile === undefined
            ? propertiesOfVersion(definition?.edition ?? 'java', config.version).map((property) =>
                toPublic(property, definition),
              )
            : [],
      };
    },
  };
}

function toPublic(property: KnownProperty, definition: SoftwareDefinition | undefined): Property {
  const { olderForms: _, allowed: __, managementSetting: ___, choices, takesEffect, ...rest } = property;
  const setting = LINKED[rest.key];
  const live = definition && liveSource(property, definition);
  return {
    ...rest,
    ...(choices && { choices: [...choices] }),
    secret: isSecretProperty(rest.key),
    takesEffect: takesEffect ?? 'restart',
    ...(live && { live }),
    ...(setting !== undefined && { setting }),
  };
}
