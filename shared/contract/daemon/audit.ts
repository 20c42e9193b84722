import { initTRPC } from '@trpc/server';
import * as z from 'zod';

import { asSent, type CallContext } from '../call.ts';

export interface AuditEntry {
  at: string;
  /** The user, with the token if one was used. */
  who: string;
  /** The user alone, if `who` has more. */
  username?: string | undefined;
  from: string;
  /** `WS`: a command typed into a console. `CLI`: a call of the command line to the daemon. `LINK`: the approval of a link, `from` the proxy. */
  method: string;
  path: string;
  instance?: string | undefined;
  command?: string | undefined;
  status: number;
  requestId: string;
}

/** Later entries have higher ids. */
export interface AuditRecord extends AuditEntry {
  id: number;
}

export interface AuditQuery {
  before?: number | undefined;
  limit: number;
  who?: string | undefined;
  instance?: string | undefined;
}

export interface DaemonAudit {
  audit(entry: AuditEntry): void;
  /** Resolves when all entries are on disk; writes all or none. */
  auditBatch(entries: AuditEntry[]): void;
  /** Newest first. */
  auditTrail(query: AuditQuery): AuditRecord[];
}

const t = initTRPC.context<CallContext<DaemonAudit>>().create({ transformer: asSent });
const auditEntry = z.object({
  at: z.iso.datetime(),
  who: z.string(),
  username: z.string().optional(),
  from: z.string(),
  method: z.string(),
  path: z.string(),
  instance: z.string().optional(),
  command: z.string().optional(),
  status: z.int(),
  requestId: z.string(),
});
const auditQuery = z.object({
  before: z.int().min(0).optional(),
  limit: z.int().min(1),
  who: z.string().optional(),
  instance: z.string().optional(),
});

export const auditRouter = t.router({
  audit: t.procedure.input(auditEntry).mutation(({ ctx, input }) => ctx.service.audit(input)),
  auditBatch: t.procedure.input(z.array(auditEntry)).mutation(({ ctx, input }) => ctx.service.auditBatch(input)),
  auditTrail: t.procedure.input(auditQuery).query(({ ctx, input }) => ctx.service.auditTrail(input)),
});
