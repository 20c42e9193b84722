/** The oldest are forgotten first. Their tokens have expired by then. */
const MOST = 10_000;

/** Grants that the proxy has revoked, though their tokens have not expired (docs/decisions/0005). */
export interface RevokedGrants {
  add(grantId: string): void;
  has(grantId: string | undefined): boolean;
}

export function createRevokedGrants(): RevokedGrants {
  const revoked = new Set<string>();
  return {
    add(grantId) {
      revoked.add(grantId);
      const [oldest] = revoked;
      if (revoked.size > MOST && oldest !== undefined) revoked.delete(oldest);
    },
    has: (grantId) => grantId !== undefined && revoked.has(grantId),
  };
}
