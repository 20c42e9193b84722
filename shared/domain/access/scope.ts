/** OAuth scopes, which bearer tokens and sessions have as well (docs/api.md, Scopes and roles). */
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

export function scopesOfRole(role: Role): readonly Scope[] {
  return SCOPES_OF_ROLE[role];
}
