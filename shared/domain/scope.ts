/** What a credential may do: OAuth scopes (reference-api.md, section 5) and panel roles (api.md, Credentials). */
export const SCOPES = ['servers:read', 'servers:write', 'backups:create', 'logs:read', 'tunnels:manage'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(word: string): word is Scope {
  return (SCOPES as readonly string[]).includes(word);
}

export const ROLES = ['admin', 'operator', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  admin: SCOPES,
  operator: ['servers:read', 'servers:write', 'backups:create', 'logs:read'],
  viewer: ['servers:read', 'logs:read'],
};

/** The scopes that a panel role carries. */
export function scopesOfRole(role: Role): readonly Scope[] {
  return SCOPES_OF_ROLE[role];
}
