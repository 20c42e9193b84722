import type { AuditPage } from '../../shared/schema/audit.ts';
import type { AuditQuery, AuditTrail } from '../upstream/audit.ts';

export interface AuditService {
  list(query: AuditQuery): Promise<AuditPage>;
}

export function createAuditService(trail: AuditTrail): AuditService {
  return {
    async list({ limit, ...query }) {
      // One more than requested, to know whether there are more.
      const found = await trail.read({ ...query, limit: limit + 1 });
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
    },
  };
}
