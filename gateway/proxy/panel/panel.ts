import type { LiveKeys } from '../oauth/keys/live-keys.ts';
import type { Database } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';
import { createDaemonDomain, type DaemonDomain } from './daemon-domain.ts';
import { createKnownCookies, type KnownCookies } from './known-cookies.ts';
import { createPanelEntries, type PanelEntries } from './panel-entries.ts';
import { createPanelSessions, type PanelSessions } from './panel-sessions.ts';
import { createPanelTokens, type PanelTokens } from './panel-tokens.ts';

/** What the panels of daemons need, if the proxy has a domain for them. */
export interface PanelParts {
  domain: DaemonDomain;
  sessions: PanelSessions;
  entries: PanelEntries;
  tokens: PanelTokens;
  known: KnownCookies;
}

export interface PanelOptions {
  issuer: string;
  domain: string;
  database: Database;
  vault: Vault;
  keys: LiveKeys;
  /** Milliseconds. */
  now: () => number;
}

export function createPanel({ issuer, domain, database, vault, keys, now }: PanelOptions): PanelParts {
  const stored = { database, vault, now };
  return {
    domain: createDaemonDomain({ issuer, domain }),
    sessions: createPanelSessions(stored),
    entries: createPanelEntries(stored),
    tokens: createPanelTokens({ keys, issuer, now }),
    known: createKnownCookies(),
  };
}
