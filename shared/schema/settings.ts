import * as z from 'zod';
import { VENDOR_NAMES, VENDORS, type VendorName } from '../domain/vendors.ts';
import { backupSettings } from './backup-settings.ts';

export const DEFAULT_PANEL_PORT = 25_580;
export const DEFAULT_REMOTE_PORT = 25_585;
const DEFAULT_SFTP_PORT = 25_582;

/** A mirror URL for each vendor. */
const vendorAddresses = Object.fromEntries(
  VENDOR_NAMES.map((name) => [
    name,
    z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(`Default: ${VENDORS[name]}`),
  ]),
) as Record<VendorName, z.ZodOptional<z.ZodURL>>;

/** Each costs time with every request or line. */
const texts = (most: number) => z.array(z.string()).max(most, `must have at most ${most} entries`);

const listenPort = z.int().min(0).max(65_535).describe('0: any free port');

/** `settings.json` (docs/operating.md). Unknown keys are errors; every key has a default. */
export const settings = z.strictObject({
  remoteControl: z
    .strictObject({
      enabled: z.boolean().default(true),
      host: z.string().min(1).default('127.0.0.1'),
      panelPort: listenPort.default(DEFAULT_PANEL_PORT),
      port: listenPort.default(DEFAULT_REMOTE_PORT),
      tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
      insecure: z.boolean().default(false),
      allowedHosts: texts(100).default([]),
      allowedOrigins: texts(100).default([]),
    })
    .prefault({}),
  sftp: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Whether users reach the files of their servers by SFTP'),
      host: z.string().min(1).default('127.0.0.1'),
      port: listenPort.default(DEFAULT_SFTP_PORT),
    })
    .prefault({}),
  lan: z
    .strictObject({
      announce: z
        .boolean()
        .default(false)
        .describe('Whether Java Edition on the local network lists the servers that can be joined'),
    })
    .prefault({}),
  players: z
    .strictObject({
      skins: z
        .boolean()
        .default(false)
        .describe('Whether the skins of players are fetched from Mojang, which is sent their UUIDs'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      requestsPerSecond: z.int().min(1).default(100),
      burst: z.int().min(1).default(500),
      connections: z.int().min(16).default(2_048),
      socketsPerCredential: z.int().min(1).default(64),
      socketsPerUser: z.int().min(1).default(128),
      socketsPerInstance: z.int().min(1).default(256),
    })
    .prefault({}),
  backups: backupSettings.prefault({}),
  redaction: z
    .strictObject({
      patterns: texts(100).default([]),
      exceptions: texts(1_000).default([]),
    })
    .prefault({}),
  vendors: z
    .strictObject({
      ...vendorAddresses,
      contact: z
        .string()
        .regex(/^[\x21-\x7e]{3,200}$/)
        .optional()
        .describe('An email address or URL where vendors can reach you about your requests'),
    })
    .prefault({}),
  runtimes: z.strictObject({}).describe('Java; no settings yet').prefault({}),
  telemetry: z.strictObject({}).describe('No settings yet').prefault({}),
  log: z
    .strictObject({ level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info') })
    .prefault({}),
});
export type Settings = z.infer<typeof settings>;
