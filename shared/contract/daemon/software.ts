import { initTRPC } from '@trpc/server';
import * as z from 'zod';
import type { CustomSoftware } from '../../domain/software/custom-software.ts';
import type { SoftwareDefinition } from '../../domain/software/definition.ts';
import type { CheckedKind } from '../../schema/kind-file.ts';
import { asSent, type CallContext } from '../call.ts';

/** The owner's custom software. */
export interface DaemonSoftware {
  customSoftware(): Promise<CustomSoftware>;
  watchCustomSoftware(signal: AbortSignal): AsyncIterable<CustomSoftware>;
  /**
   * Returns the kind that a file describes: one of Gamekeeper, an egg of Pterodactyl or Pelican, or a template of PufferPanel. Nothing is
   * saved or run. Throws `invalid_request` for anything else.
   */
  checkKind(text: string): Promise<CheckedKind>;
  /** Puts the file of a kind into the software folder. Throws `invalid_request` with the problem, and `software_exists`. */
  saveKind(text: string): Promise<SoftwareDefinition>;
  /** Removes the file of a kind. Throws `software_not_found`, `invalid_request` for one that ships, and `software_in_use`. */
  removeKind(kind: string): Promise<void>;
}

const t = initTRPC.context<CallContext<DaemonSoftware>>().create({ transformer: asSent });

export const softwareRouter = t.router({
  customSoftware: t.procedure.query(({ ctx }) => ctx.service.customSoftware()),
  watchCustomSoftware: t.procedure.subscription(({ ctx, signal }) => ctx.service.watchCustomSoftware(signal!)),
  checkKind: t.procedure.input(z.string()).query(({ ctx, input }) => ctx.service.checkKind(input)),
  saveKind: t.procedure.input(z.string()).mutation(({ ctx, input }) => ctx.service.saveKind(input)),
  removeKind: t.procedure.input(z.string()).mutation(({ ctx, input }) => ctx.service.removeKind(input)),
});
