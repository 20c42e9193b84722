import type { ColumnType } from 'kysely';

/** The tables of the fleet (migrations.ts). Times are seconds since 1970. */
export interface FleetTables {
  telemetry: TelemetryRow;
  telemetry_sample: TelemetrySampleRow;
  telemetry_hour: TelemetryHourRow;
  daemon_label: DaemonLabelRow;
  alert_target: AlertTargetRow;
  alert: AlertRow;
  alert_message: AlertMessageRow;
  scrape_token: ScrapeTokenRow;
}

/** The last report of a daemon. A daemon has a row as long as its owner allows reports. */
export interface TelemetryRow {
  daemon_id: string;
  received_at: number;
  version: string;
  /** `ok` or `degraded`. */
  health: string;
  instances: number;
  running: number;
  crashed: number;
  players: number;
  /** 100 is the whole machine. */
  cpu_percent: number;
  memory_used: number;
  memory_total: number;
  disk_free: number | null;
  disk_total: number | null;
  /** The newest good backup of any instance. */
  backup_at: number | null;
  /** JSON of the instances (StoredInstance). */
  detail: string;
  /** When the proxy noticed that it is not connected. */
  offline_since: ColumnType<number | null, never, number | null>;
}

/** What was reported in the last two days. */
export interface TelemetrySampleRow {
  daemon_id: string;
  at: number;
  running: number;
  players: number;
  cpu_percent: number;
  memory_used: number;
  disk_free: number | null;
}

/** The reports of an hour, added up. */
export interface TelemetryHourRow {
  daemon_id: string;
  /** When it began. */
  hour: number;
  samples: number;
  players_sum: number;
  players_max: number;
  cpu_sum: number;
  cpu_max: number;
  memory_sum: number;
  memory_max: number;
}

export interface DaemonLabelRow {
  daemon_id: string;
  name: string;
  value: string;
}

/** Where alerts of an account are sent. */
export interface AlertTargetRow {
  id: string;
  account_id: string;
  /** `webhook` or `discord`. */
  kind: string;
  /** Sealed: who knows it can write to the channel. */
  url: string;
  /** Sealed: what messages are signed with. */
  secret: string;
  created_at: number;
  /** The hour of the last message, and how many there were in it. */
  hour: number;
  sent: number;
  /** Messages in a row that could not be delivered. */
  failures: number;
  /** How the last attempt went; '' if there was none. */
  result: string;
}

/** A state that was reported and has not ended. */
export interface AlertRow {
  daemon_id: string;
  kind: string;
  /** The id of an instance, or ''. */
  subject: string;
  since: number;
}

/** A message that is still to be delivered. */
export interface AlertMessageRow {
  id: string;
  target_id: string;
  /** JSON of an AlertMessage. */
  body: string;
  attempts: number;
  /** When it is tried next. Whoever raises it has claimed the message. */
  next_at: number;
}

/** Lets a Prometheus read the metrics of an account's daemons. */
export interface ScrapeTokenRow {
  id: string;
  account_id: string;
  /** `Vault.nameOf` of the token. */
  token_name: string;
  created_at: number;
}
