import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type Database, toSeconds } from '../store/database.ts';
import type { AuditRow } from '../store/schema.ts';

const DAY_S = 24 * 60 * 60;
const KEPT_S = 180 * DAY_S;
const LONGEST_DETAIL = 200;
/** Names of accounts contain no space (shared/schema/users.ts). */
export const COMMAND_LINE = 'command line';

/** What is recorded, and how it is shown. */
export const AUDITED = {
  'account.created': 'Account created',
  'account.removed': 'Account deleted',
  'account.disabled': 'Account disabled',
  'account.enabled': 'Account enabled',
  'account.renamed': 'Name changed',
  'session.begun': 'Signed in',
  'session.ended': 'Browser signed out',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'second-factor.on': 'Second factor turned on',
  'second-factor.off': 'Second factor removed',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'passkey.refused': 'Passkey refused: another device may have a copy of it',
  'provider.connected': 'Connected',
  'provider.removed': 'Disconnected',
  'invitation.created': 'Invitation created',
  'invitation.revoked': 'Invitation revoked',
  'daemon.removed': 'Computer removed',
  'panel.opened': 'Panel opened',
  'grant.revoked': 'Access of a program removed',
  'program.registered': 'Program registered',
  'program.removed': 'Program removed',
} as const;
export type AuditAction = keyof typeof AUDITED;

export interface AuditEvent {
  account: { id: string; name: string };
  action: AuditAction;
  /** Absent: the account itself. */
  actor?: string;
  detail?: string;
  /** Of the client. */
  address?: string;
}

export interface AuditEntry {
  at: Date;
  account: string;
  actor: string;
  action: AuditAction;
  detail: string;
  address: string;
}

/** Who did what to which account. Entries outlive their account. */
export interface Audit {
  record(event: AuditEvent): Promise<void>;
  /** Newest first. */
  ofAccount(accountId: string, most: number): Promise<AuditEntry[]>;
  removeOld(): Promise<void>;
}

export function createAudit(database: Database, now: () => number): Audit {
  return {
    async record({ account, action, actor = account.name, detail = '', address = '' }) {
      await database
        .insertInto('audit')
        .values({
          // In the order of time, also within a second.
          id: `${now().toString(36).padStart(9, '0')}-${randomUUID()}`,
          at: toSeconds(now()),
          account_id: account.id,
          account: account.name,
          actor,
          action,
          detail: detail.slice(0, LONGEST_DETAIL),
          address,
        })
        .execute();
    },
    async ofAccount(accountId, most) {
      const rows = await database
        .selectFrom('audit')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute();
      return rows.map(entryOf);
    },
    async removeOld() {
      await database
        .deleteFrom('audit')
        .where('at', '<', toSeconds(now()) - KEPT_S)
        .execute();
    },
  };
}

function entryOf({ at, account, actor, action, detail, address }: Selectable<AuditRow>): AuditEntry {
  return { at: new Date(at * 1000), account, actor, action: action as AuditAction, detail, address };
}
