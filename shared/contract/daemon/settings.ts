import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors/catalogue.ts';
import type { CodedFailure } from '../../errors/gamekeeper-error.ts';
import type { Settings } from '../../schema/settings.ts';
import { asSent, type CallContext } from '../call.ts';

export interface SettingsDocument {
  /** The file with defaults filled in. Contains secrets. */
  stored: Settings;
  /** The settings in force: `stored`, overridden by the environment. */
  current: Settings;
  version: string;
  /** Settings that an environment variable overrides while it is set. */
  overridden: { key: string; variable: string }[];
}

export interface SettingsUpdate {
  /**
   * JSON Merge Patch (RFC 7396): objects are merged, `null` restores the default, anything else replaces. `MASKED` keeps the stored secret;
   * in arrays that of the element with the same `name`.
   */
  change: Record<string, unknown>;
  /** Throws `precondition_failed` if the document has another version. */
  version?: string;
}

/** URLs of the gateway's TCP listeners; `null` while Remote Control is off. */
export interface Listeners {
  panel: string | null;
  remote: string | null;
}

/** Settings for the gateway to apply before they are stored. The first offer of a subscription is already in force. */
export interface SettingsOffer {
  id: number;
  settings: Settings;
  /** Ports to listen on. For a setting of 0: the port that was chosen before, if any. */
  ports: { panel: number; remote: number };
}

/** The gateway's answer: where it listens now, or why nothing changed. */
export type SettingsTaken = { id: number; listeners: Listeners } | { id: number; failure: CodedFailure };

/** A change is applied before it is stored: docs/decisions/0004. */
export interface DaemonSettings {
  settings(): Settings;
  settingsDocument(): Promise<SettingsDocument>;
  /**
   * Resolves when the change is applied and stored. Throws `invalid_request` with the key, the value and what is allowed, `port_in_use`, or
   * `invalid_state` if the file cannot be read. After an error nothing has changed.
   */
  updateSettings(update: SettingsUpdate): Promise<SettingsDocument>;
  watchSettings(signal: AbortSignal): AsyncIterable<Settings>;
  /** For the gateway only. */
  settingsOffers(signal: AbortSignal): AsyncIterable<SettingsOffer>;
  settingsTaken(answer: SettingsTaken): void;
}

const t = initTRPC.context<CallContext<DaemonSettings>>().create({ transformer: asSent });
const settingsUpdate = z.object({ change: z.record(z.string(), z.unknown()), version: z.string().exactOptional() });
const listeners = z.object({ panel: z.string().nullable(), remote: z.string().nullable() });
const failure = z.object({
  code: z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code)),
  detail: z.string(),
  resolution: z.string(),
  retryAfterSeconds: z.number().exactOptional(),
});
const settingsTaken = z.union([
  z.object({ id: z.int(), listeners }),
  z.object({ id: z.int(), failure: failure satisfies z.ZodType<CodedFailure> }),
]);

export const settingsRouter = t.router({
  settings: t.procedure.query(({ ctx }) => ctx.service.settings()),
  settingsDocument: t.procedure.query(({ ctx }) => ctx.service.settingsDocument()),
  updateSettings: t.procedure.input(settingsUpdate).mutation(({ ctx, input }) => ctx.service.updateSettings(input)),
  watchSettings: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchSettings(signal!)),
  settingsOffers: t.procedure.subscription(({ ctx, signal }) => ctx.service.settingsOffers(signal!)),
  settingsTaken: t.procedure.input(settingsTaken).mutation(({ ctx, input }) => ctx.service.settingsTaken(input)),
});
