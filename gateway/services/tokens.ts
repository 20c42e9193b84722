import { randomUUID } from 'node:crypto';
import { scopesOfRole } from '../../shared/domain/access/scope.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { CreatedToken, CreateToken, TokenInfo } from '../../shared/schema/credentials.ts';
import type { Credentials } from '../auth/credentials/credentials.ts';
import { type Identity, verifiedOrLocal } from '../auth/identity.ts';
import type { CredentialStore } from '../upstream/credential-store.ts';

export interface TokensService {
  /**
   * Creates a token with the given scopes, by default all of the caller's. Throws `insufficient_scope` for scopes that the caller lacks.
   */
  create(request: CreateToken, by: Identity): Promise<CreatedToken>;
  list(): Promise<TokenInfo[]>;
  /** Throws `token_not_found`. */
  revoke(id: string, by: Identity): Promise<void>;
}

export interface TokensOptions {
  credentials: Credentials;
  store: CredentialStore;
  now: () => number;
}

export function createTokensService({ credentials, store, now }: TokensOptions): TokensService {
  return {
    async create({ name, scopes, ttlSeconds }, by) {
      const lacking = scopes?.filter((scope) => !by.scopes.has(scope)) ?? [];
      if (lacking.length > 0)
        throw new GamekeeperError(
          'insufficient_scope',
          `A token cannot have more scopes than you: ${lacking.join(', ')}.`,
        );
      const at = now();
      const record = {
        id: randomUUID(),
        name,
        scopes: scopes ? [...new Set(scopes)] : [...scopesOfRole(by.role)],
        unrestricted: scopes === undefined && by.unrestricted,
        createdBy: by.username,
        createdAt: new Date(at).toISOString(),
        // The claim has whole seconds: token and record expire together.
        expiresAt: new Date((Math.floor(at / 1000) + ttlSeconds) * 1000).toISOString(),
      };
      const token = await credentials.tokens.mint(record, verifiedOrLocal(by));
      return { id: record.id, token, name, scopes: record.scopes, expiresAt: record.expiresAt };
    },
    list: () => store.tokens(),
    revoke: (id, by) => store.revokeToken(id, verifiedOrLocal(by)),
  };
}
