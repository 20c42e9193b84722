/** The tables of the fleet (migrations.ts). Times are seconds since 1970. */
export interface FleetTables {
  telemetry: TelemetryRow;
  telemetry_sample: TelemetrySampleRow;
  telemetry_hour: TelemetryHourRow;
  daemon_label: DaemonLabelRow;
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
