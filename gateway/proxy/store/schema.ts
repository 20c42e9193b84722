import type { Generated } from 'kysely';
import type { EdgeTables } from './edge-schema.ts';
import type { FleetTables } from './fleet-schema.ts';

/** The tables (migrations.ts). Times are seconds since 1970, so that both databases compare them alike. */
export interface Tables extends FleetTables, EdgeTables {
  account: AccountRow;
  session: SessionRow;
  totp: TotpRow;
  recovery_code: RecoveryCodeRow;
  oauth_item: OauthItemRow;
  oauth_client: OauthClientRow;
  revoked_grant: RevokedGrantRow;
  rotating_key: RotatingKeyRow;
  daemon: DaemonRow;
  replica: ReplicaRow;
  link: LinkRow;
  notice: NoticeRow;
  access_change: AccessChangeRow;
  audit: AuditRow;
  pending: PendingRow;
  passkey: PasskeyRow;
  invitation: InvitationRow;
  identity: IdentityRow;
  panel_session: PanelSessionRow;
}

export interface AccountRow {
  id: string;
  /** As entered. */
  name: string;
  /** In lower case: unique. */
  name_key: string;
  /** '' if the account has no password. */
  password_hash: string;
  /** 0 or 1. */
  is_admin: number;
  created_at: number;
  /** Raised by every change of a credential. */
  version: Generated<number>;
  /** 0 or 1. */
  disabled: Generated<number>;
  /** The hour, since 1970, that `alert_count` is for. */
  alert_hour: Generated<number>;
  /** Messages about alerts to all its addresses in that hour. */
  alert_count: Generated<number>;
}

export interface SessionRow {
  id: string;
  /** Of the cookie's value. */
  token_name: string;
  account_id: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
  user_agent: string;
  address: string;
  /** Until when sensitive changes need no other proof, as long as the account has this version. */
  confirmed_until: Generated<number>;
  confirmed_version: Generated<number>;
}

export interface TotpRow {
  account_id: string;
  /** Sealed. */
  secret: string;
  /** 0 until a code was entered, then 1. Until then it has no effect. */
  confirmed: number;
  /** The last time step that was used. */
  last_step: number;
}

export interface RecoveryCodeRow {
  account_id: string;
  hash: string;
}

/** What oidc-provider stores: codes, tokens, grants, interactions and its own sessions. */
export interface OauthItemRow {
  model: string;
  /** `Vault.nameOf` of the id, which may be a token. */
  name: string;
  /** Sealed JSON. */
  payload: string;
  grant_id: string | null;
  account_id: string | null;
  /** `Vault.nameOf` of the user code. */
  user_code: string | null;
  uid: string | null;
  /** Of a grant; null if an older version stored it. */
  client_id: string | null;
  created_at: number;
  expires_at: number | null;
  consumed_at: number | null;
}

export interface OauthClientRow {
  id: string;
  name: string;
  /** Sealed JSON of its metadata, with the secret. */
  payload: string;
  /** Who has registered it; null: the operator of the proxy. */
  account_id: string | null;
  created_at: number;
}

export interface RevokedGrantRow {
  grant_id: string;
  revoked_at: number;
}

export interface RotatingKeyRow {
  /** `Purpose` of keys/schedule.ts. */
  purpose: string;
  /** Counts up for each purpose. */
  generation: number;
  id: string;
  /** Sealed. */
  secret: string;
  published_at: number;
  signs_from: number;
}

export interface DaemonRow {
  id: string;
  account_id: string;
  name: string;
  /** JSON of the public JWK. */
  public_key: string;
  /** The ceiling, separated by spaces. */
  scopes: string;
  created_at: number;
  seen_at: number | null;
}

/** One row. Its count is raised when daemons may have lost their account, so that every process looks at its links. */
export interface AccessChangeRow {
  id: number;
  count: number;
}

export interface AuditRow {
  id: string;
  at: number;
  /** It may be gone, so these do not refer to it. */
  account_id: string;
  account: string;
  /** The name of whoever did it. */
  actor: string;
  action: string;
  detail: string;
  address: string;
}

export interface PendingRow {
  /** `Vault.nameOf` of a value that a browser has. */
  name: string;
  /** Sealed JSON. */
  content: string;
  expires_at: number;
}

export interface PasskeyRow {
  /** The credential's id, base64url. */
  id: string;
  account_id: string;
  /** The host that it was made for. */
  rp_id: string;
  name: string;
  /** COSE, base64url. */
  public_key: string;
  counter: number;
  /** Separated by spaces. */
  transports: string;
  created_at: number;
  used_at: number | null;
}

export interface InvitationRow {
  id: string;
  /** `Vault.nameOf` of the secret in its link. */
  token_name: string;
  note: string;
  /** 0 or 1. */
  is_admin: number;
  /** Absent if it was made on the proxy's machine. */
  creator_id: string | null;
  creator: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

export interface IdentityRow {
  /** Of the provider: a subject means nothing elsewhere. */
  issuer: string;
  subject: string;
  account_id: string;
  label: string;
  created_at: number;
}

/** A browser on the host of a daemon. */
export interface PanelSessionRow {
  session_id: string;
  daemon_id: string;
  /** Of the cookie's value. */
  token_name: string;
  expires_at: number;
}

/** A process on this database. Only with PostgreSQL. */
export interface ReplicaRow {
  id: string;
  /** Where the other replicas reach it. */
  url: string;
  /** By the database's clock. */
  seen_at: number;
}

/** Which replica holds a daemon's link, and which one did before. */
export interface LinkRow {
  daemon_id: string;
  link_id: string;
  replica_id: string;
  former_link_id: string | null;
  former_replica_id: string | null;
}

/** What a replica has still to learn. */
export interface NoticeRow {
  id: string;
  replica_id: string;
  /** JSON. */
  content: string;
}
