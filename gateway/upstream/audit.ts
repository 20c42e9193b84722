import type { AuditEntry } from '../../shared/contract/daemon.ts';
import type { Daemon } from './daemon.ts';

export type { AuditEntry };

/** Hands an entry to the daemon's record of who changed what. The request that it is of does not wait for it. */
export type WriteAudit = (entry: AuditEntry) => void;

export function auditTrail(daemon: Daemon, onError: (error: unknown) => void): WriteAudit {
  return (entry) => void daemon.call.audit(entry).catch(onError);
}
