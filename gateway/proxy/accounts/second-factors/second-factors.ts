import { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpStepOf,
} from '../../../../shared/node/passwords/one-time-codes.ts';
import type { Database } from '../../store/database.ts';
import type { Vault } from '../../store/vault.ts';
import { endOtherSessions, raiseVersion, type VerifiedUser, whileVerified } from '../sessions/verified-user.ts';

/** Codes of authenticator apps, and recovery codes. Each works once, also if it is sent twice at the same moment. */
export interface SecondFactors {
  isOn(accountId: string): Promise<boolean>;
  /**
   * Resolves to a new secret, which has no effect until it is confirmed; to `undefined` if the user is no longer as verified. Throws
   * `invalid_state` if there is a confirmed one.
   */
  begin(by: Required<VerifiedUser>): Promise<string | undefined>;
  /** Resolves to the secret that is not confirmed yet. */
  begun(accountId: string): Promise<string | undefined>;
  /**
   * Confirms the secret with one of its codes, and ends all other sessions, which began with the password alone. Resolves to recovery codes,
   * shown only once; to `undefined` if the code is wrong or the user is no longer as verified.
   */
  confirm(by: Required<VerifiedUser>, code: string): Promise<string[] | undefined>;
  /** Uses up a code or a recovery code. Resolves to false if it is wrong or was used. */
  use(accountId: string, code: string): Promise<boolean>;
  /** Resolves to false, and changes nothing, if the user is no longer as verified. */
  remove(by: Required<VerifiedUser>): Promise<boolean>;
}

export interface SecondFactorsOptions {
  database: Database;
  vault: Vault;
  /** Milliseconds. */
  now: () => number;
}

interface UsedStep {
  accountId: string;
  /** The secret, as stored. */
  sealed: string;
  step: number;
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
  async function useStep(on: Database, { accountId, sealed, step }: UsedStep): Promise<boolean> {
    const used = await on
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
    async begin(by) {
      const accountId = by.account.id;
      const secret = await newTotpSecret();
      const values = { secret: vault.seal(secret, contextOf(accountId)), last_step: 0 };
      const begun = await whileVerified(database, by, (transaction) =>
        transaction
          .insertInto('totp')
          .values({ account_id: accountId, confirmed: 0, ...values })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values).where('totp.confirmed', '=', 0))
          .returning('account_id')
          .execute(),
      );
      if (!begun) return undefined;
      if (begun.length > 0) return secret;
      throw new GamekeeperError('invalid_state', 'You already have a second factor.', {
        resolution: 'Remove it first.',
      });
    },
    async begun(accountId) {
      const totp = await find(accountId);
      return totp?.isOn === false ? totp.secret : undefined;
    },
    async confirm(by, code) {
      const accountId = by.account.id;
      const totp = await find(accountId);
      if (!totp || totp.isOn) return undefined;
      const step = await totpStepOf(totp.secret, code, now());
      if (step === null) return undefined;
      return whileVerified(database, by, async (transaction) => {
        if (!(await useStep(transaction, { accountId, sealed: totp.sealed, step }))) return undefined;
        const codes = newRecoveryCodes();
        await transaction.updateTable('totp').set({ confirmed: 1 }).where('account_id', '=', accountId).execute();
        await transaction.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
        const rows = codes.map((one) => ({ account_id: accountId, hash: recoveryCodeHash(one) }));
        await transaction.insertInto('recovery_code').values(rows).execute();
        await raiseVersion(transaction, accountId);
        await endOtherSessions(transaction, by);
        return codes;
      });
    },
    async use(accountId, code) {
      const totp = await find(accountId);
      if (!totp?.isOn) return false;
      const step = await totpStepOf(totp.secret, code, now());
      return (
        (step !== null && (await useStep(database, { accountId, sealed: totp.sealed, step }))) ||
        useRecoveryCode(accountId, code)
      );
    },
    async remove(by) {
      const accountId = by.account.id;
      const done = await whileVerified(database, by, async (transaction) => {
        await transaction.deleteFrom('totp').where('account_id', '=', accountId).execute();
        await transaction.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
        await raiseVersion(transaction, accountId);
        return true;
      });
      return done ?? false;
    },
  };
}
