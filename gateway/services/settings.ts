import { entityTag, ifMatchHolds } from '../../shared/domain/http/entity-tag.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import { maskSecrets } from '../../shared/schema/masked-secrets.ts';
import { settings as settingsSchema } from '../../shared/schema/settings.ts';
import type { SettingsAnswer } from '../../shared/schema/settings-document.ts';
import type { Daemon } from '../upstream/clients.ts';
import type { SettingsDocument } from '../upstream/settings.ts';

/** A change returns only after ports are bound and supervisors are updated. Milliseconds. */
const CHANGE_TIMEOUT_MS = 15_000;

export interface VersionedSettings {
  settings: SettingsAnswer;
  /** An entity tag, quoted. */
  etag: string;
}

export interface SettingsService {
  read(): Promise<VersionedSettings>;
  /** Changes the settings named in `change`. Throws `precondition_failed` if `ifMatch` names another version. */
  write(change: Record<string, unknown>, ifMatch: string | undefined): Promise<VersionedSettings>;
}

/** The daemon's settings, with secrets masked. */
export function createSettingsService({ daemon }: { daemon: Daemon }): SettingsService {
  return {
    read: async () => shown(await daemon.call.settingsDocument()),
    async write(change, ifMatch) {
      // The header may name several versions, or any; the daemon compares exactly one.
      const version = ifMatch === undefined ? undefined : (await daemon.call.settingsDocument()).version;
      if (version !== undefined && !ifMatchHolds(ifMatch, entityTag(version)))
        throw new GamekeeperError('precondition_failed', 'The settings have changed since you read them.');
      const update = { change, ...(version !== undefined && { version }) };
      return shown(await daemon.call.updateSettings(update, { timeoutMs: CHANGE_TIMEOUT_MS }));
    },
  };
}

function shown({ stored, version, overridden }: SettingsDocument): VersionedSettings {
  return { settings: { ...maskSecrets(settingsSchema, stored), overridden }, etag: entityTag(version) };
}
