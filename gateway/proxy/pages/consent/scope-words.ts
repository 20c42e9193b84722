import type { Scope } from '../../../../shared/domain/access/scope.ts';

/** What each scope allows, in the words of people who own servers. */
export const ALLOWED: Readonly<Record<Scope, string>> = {
  'servers:read': 'See your servers: if they are running, who is playing, and how busy they are',
  'servers:write': 'Start, stop and change your servers, and run console commands',
  'backups:create': 'Create, restore and delete backups',
  'logs:read': 'Read the consoles of your servers, with IP addresses and passwords hidden',
  'tunnels:manage': 'Change how players connect to your servers over the internet',
};

/** The same in a word or two, for lists. */
const SHORT: Readonly<Record<string, string>> = {
  'servers:read': 'see servers',
  'servers:write': 'control servers',
  'backups:create': 'backups',
  'logs:read': 'read consoles',
  'tunnels:manage': 'player access',
} satisfies Record<Scope, string>;

export function shortScopes(scopes: readonly string[]): string {
  return scopes.map((scope) => SHORT[scope] ?? scope).join(', ');
}
