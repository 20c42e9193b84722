import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpStepOf,
} from '../../../shared/node/passwords/one-time-codes.ts';
import type { Database } from '../store/database.ts';
import type { Vault } from '../store/vault.ts';

/** Codes of authenticator apps, and recovery codes. Each works once, also if it is sent twice at the same moment. */
export interface SecondFactors {
  isOn(accountId: string): Promise<boolean>;
  /** Resolves to a new secret, which has no effect until it is confirmed. Throws `invalid_state` if there is a confirmed one. */
  begin(accountId: string): Promise<string>;
  /** Resolves to the secret that is not confirmed yet. */
  begun(accountId: string): Promise<string | undefined>;
  /** Confirms the secret with one of its codes. Resolves to recovery codes, shown only once; to `undefined` if the code is wrong. */
  confirm(accountId: string, code: string): Promise<string[] | undefined>;
  /** Uses up a code or a recovery code. Resolves to false if it is wrong or was used. */
  use(accountId: string, code: string): Promise<boolean>;
  remove(accountId: string): Promise<void>;
}

export interface SecondFactorsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

export function createSecondFactors({ database, vault, now }: SecondFactorsOptions): SecondFactors {
  const contextOf = (accountId: string) => `totp ${accountId}`;

  async function find(accountId: string) {
    const row = await database.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst();
    return (
      row && { secret: vault.open(row.secret, contextOf(accountId)), sealed: row.secret, isOn: row.confirmed === 1 }
    );
  }

  /** Uses up the step and all older ones (CVE-2025-69197). Resolves to false if it was used, or the secret was replaced since. */
  async function useStep(accountId: string, sealed: string, step: number): Promise<boolean> {
    const used = await database
      .updateTable('totp')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .where('secret', '=', sealed)
      .where('last_step', '<', step)
      .returning('account_id')
      .execute();
    return used.length > 0;
  }

  async function useRecoveryCode(accountId: string, code: string): Promise<boolean> {
    const used = await database
      .deleteFrom('recovery_code')
      .where('account_id', '=', accountId)
      .where('hash', '=', recoveryCodeHash(code))
      .returning('hash')
      .execute();
    return used.length > 0;
  }

  return {
    isOn: async (accountId) => (await find(accountId))?.isOn ?? false,
    async begin(accountId) {
      const secret = await newTotpSecret();
      const values = { secret: vault.seal(secret, contextOf(accountId)), last_step: 0 };
      const begun = await database
        .insertInto('totp')
        .values({ account_id: accountId, confirmed: 0, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values).where('totp.confirmed', '=', 0))
        .returning('account_id')
        .execute();
      if (begun.length > 0) return secret;
      throw new GamekeeperError('invalid_state', 'You already have a second factor.', {
        resolution: 'Remove it first.',
      });
    },
    async begun(accountId) {
      const totp = await find(accountId);
      return totp?.isOn === false ? totp.secret : undefined;
    },
    async confirm(accountId, code) {
      const totp = await find(accountId);
      if (!totp || totp.isOn) return undefined;
      const step = await totpStepOf(totp.secret, code, now());
      if (step === null || !(await useStep(accountId, totp.sealed, step))) return undefined;
      const codes = newRecoveryCodes();
      await database.transaction().execute(async (transaction) => {
        await transaction.updateTable('totp').set({ confirmed: 1 }).where('account_id', '=', accountId).execute();
        await transaction.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
        const rows = codes.map((one) => ({ account_id: accountId, hash: recoveryCodeHash(one) }));
        await transaction.insertInto('recovery_code').values(rows).execute();
      });
      return codes;
    },
    async use(accountId, code) {
      const totp = await find(accountId);
      if (!totp?.isOn) return false;
      const step = await totpStepOf(totp.secret, code, now());
      return (step !== null && (await useStep(accountId, totp.sealed, step))) || useRecoveryCode(accountId, code);
    },
    async remove(accountId) {
      await database.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('totp').where('account_id', '=', accountId).execute();
        await transaction.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
      });
    },
  };
}
