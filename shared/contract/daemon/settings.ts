import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import { type ErrorCode, isErrorCode } from '../../errors/catalogue.ts';
import type { CodedFailure } from '../../errors/gamekeeper-error.ts';
import type { Settings } from '../../schema/settings.ts';
import { asSent, type CallContext } from '../call.ts';

/** `settings.json` as an editor sees it. */
export interface SettingsDocument {
  /** What the file says, with the defaults of what it does not. Holds secrets. */
  stored: Settings;
  /** What holds: `stored` with the environment over it. */
  current: Settings;
  /** Another one after every change of the file. */
  version: string;
  /** Settings that a variable of the environment decides, whatever is stored, until it is unset. */
  overridden: { key: string; variable: string }[];
}

export interface SettingsUpdate {
  /**
   * JSON Merge Patch (RFC 7396): objects are merged, `null` returns to the default, anything else replaces. `MASKED` in place of a
   * secret leaves the one that is stored, in arrays that of the element with the same `name`.
   */
  change: Record<string, unknown>;
  /** Throws `precondition_failed` when the document has another version by now. */
  version?: string;
}

/** URLs of the gateway's TCP listeners; `null` while Remote Control is off. */
export interface Listeners {
  panel: string | null;
  remote: string | null;
}

/** Settings for the gateway to take up, before they are stored; the first of a subscription are those that hold already. */
export interface SettingsOffer {
  id: number;
  settings: Settings;
  /** What to listen on: where the settings say 0, the port that was chosen before, if any. */
  ports: { panel: number; remote: number };
}

/** The gateway's answer: where it listens now, or why everything is as it was. */
export type SettingsTaken = { id: number; listeners: Listeners } | { id: number; failure: CodedFailure };

/** Settings: what holds, what is stored, and how a change is taken up before it is stored. */
export interface DaemonSettings {
  settings(): Settings;
  settingsDocument(): Promise<SettingsDocument>;
  /**
   * Resolves when the change is in force and stored. Throws `invalid_request` naming the key, the value and what is allowed, `port_in_use`,
   * and `invalid_state` where the file cannot be read; then nothing has changed.
   */
  updateSettings(update: SettingsUpdate): Promise<SettingsDocument>;
  /** The settings that hold at once, then after each change. */
  watchSettings(signal: AbortSignal): AsyncIterable<Settings>;
  /** For the gateway alone. */
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
