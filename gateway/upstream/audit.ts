export type { AuditEntry, AuditQuery } from '../../shared/contract/daemon/audit.ts';
export { type AuditTrail, createAuditTrail } from '../../shared/node/audit-trail.ts';
