import type { ActionResponse, BackupResponse, HealthResponse, LogsResponse } from '../../shared/schema/answers.ts';
import type { AuditPage } from '../../shared/schema/audit.ts';
import type { FileDifferences, RestoreFiles } from '../../shared/schema/backup-files.ts';
import type { RetentionSettings } from '../../shared/schema/backup-settings.ts';
import type { CloneInstance } from '../../shared/schema/clone.ts';
import type { CreatedToken, SessionInfo, TokenInfo } from '../../shared/schema/credentials.ts';
import type {
  CreateArchive,
  DeletedFile,
  ExtractArchive,
  FileHistory,
  FileList,
  FileMove,
  FileSearch,
  FileUsage,
  NewFolder,
  VersionRestore,
  WrittenFile,
} from '../../shared/schema/files.ts';
import type { Gamerule, SetGamerules } from '../../shared/schema/gamerules.ts';
import type { HostState } from '../../shared/schema/host.ts';
import type { ImportedInstance, ImportInstance, Recognition } from '../../shared/schema/import.ts';
import type { Instance } from '../../shared/schema/instance.ts';
import type { Job } from '../../shared/schema/job.ts';
import type { CheckedKind, KindFile } from '../../shared/schema/kind-file.ts';
import type { ChangeLink, CreateLink, Link, LinkRequest, Unlinked } from '../../shared/schema/link.ts';
import type { CreateFromModpack, ModpackSearch, ModpackVersions } from '../../shared/schema/modpacks.ts';
import type { InstalledMod, ModChanges, ModList, ModSearch } from '../../shared/schema/mods.ts';
import type { OutsideTest } from '../../shared/schema/outside-ping.ts';
import type { PlayerSkins } from '../../shared/schema/player-skins.ts';
import type { ConfiguredPort } from '../../shared/schema/ports.ts';
import type { PropertiesSchema } from '../../shared/schema/properties.ts';
import type { RuntimeUpdate } from '../../shared/schema/runtime.ts';
import type { Schedule, ScheduleInput, ScheduleRun } from '../../shared/schema/schedule.ts';
import { settings } from '../../shared/schema/settings.ts';
import type { SftpState } from '../../shared/schema/sftp.ts';
import type { NewSshKey, SshKey } from '../../shared/schema/ssh-keys.ts';
import type { TunnelResponse, TunnelSettingsDocument } from '../../shared/schema/tunnel.ts';
import type { CreatedUser, User } from '../../shared/schema/users.ts';
import type { ChangeVariables, InstanceVariable, KindVariable } from '../../shared/schema/variables.ts';
import type { World, WorldList, WorldReplacement, WorldReset } from '../../shared/schema/worlds.ts';

/** All examples share one story: an instance `demo`, a player Steve, a backup, a bot's token. */
const MAP_VARIABLE: KindVariable = {
  ...{ name: 'map', title: 'Map', type: 'text', secret: false, editableBy: 'operator' },
  rule: { pattern: '[a-z0-9_]+', maxLength: 32 },
  default: 'de_dust2',
};

const INSTANCE = 'demo';
const BACKUP = '20261120T081500Z-4f9c2a';
const JOB = 'b7d6f0a2-6f0e-4c51-9f0c-3a5f1f0f7d11';
const SHA256 = 'a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e';
const TOKEN = '2f0c6a52-8f1d-4d7e-9c55-0f6a1b7c9d10';
const PROXY = 'https://proxy.example.net';
const DAEMON = '7b0c1c5e-6f0e-4c51-9f0c-3a5f1f0f7d11';
export const EXAMPLE_TIME = '2026-11-20T08:15:00.000Z';
const TEXTURE = '31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb';
const TRASH_ID = 'mi7k2q1c-4f9c2a17b3d0';
const LATER = '2026-12-20T08:15:00.000Z';

const ANNA: User = {
  username: 'anna',
  role: 'operator',
  instances: [INSTANCE],
  disabled: false,
  mustChangePassword: false,
  totp: true,
  createdAt: EXAMPLE_TIME,
};

const NIGHTLY = {
  name: 'Restart at night',
  enabled: true,
  cron: '30 4 * * *',
  timeZone: 'Europe/Berlin',
  action: { type: 'restart', announce: { secondsBefore: [300, 60, 10], message: 'The server restarts in {time}.' } },
  condition: 'running',
  missed: { policy: 'skip', graceMinutes: 60 },
} satisfies ScheduleInput;

const RUN: ScheduleRun = {
  scheduleId: 'restart',
  name: NIGHTLY.name,
  action: 'restart',
  plannedAt: EXAMPLE_TIME,
  startedAt: EXAMPLE_TIME,
  endedAt: EXAMPLE_TIME,
  result: 'done',
};

const SCHEDULE: Schedule = {
  id: RUN.scheduleId,
  ...NIGHTLY,
  savedBy: ANNA.username,
  savedAt: EXAMPLE_TIME,
  nextRuns: [LATER],
  lastRun: RUN,
};

const RECOGNITION: Recognition = {
  directory: '/srv/survival',
  software: { value: 'paper', from: 'paper.jar', sure: 'certain' },
  version: { value: '1.21.8', from: 'paper.jar', sure: 'certain' },
  program: { value: 'paper.jar', from: 'paper.jar', sure: 'certain' },
  port: { value: 25_565, from: 'server.properties', sure: 'certain' },
  memoryMb: { value: 5120, from: 'start.sh', sure: 'likely' },
  javaVersion: { value: '21', from: 'paper.jar', sure: 'certain' },
  acceptEula: { value: true, from: 'eula.txt', sure: 'certain' },
  worlds: { value: ['world'], from: 'world/level.dat', sure: 'certain' },
  notes: [],
  missing: [],
};

const WORLD: World = {
  folder: 'world',
  name: 'Castle',
  isCurrent: true,
  version: '1.21.8',
  seed: '-4172144997902289642',
  lastPlayedAt: EXAMPLE_TIME,
  sizeBytes: 48_234_496,
  folders: ['world', 'world_nether', 'world_the_end'],
  dataPacks: ['terralith.zip'],
};

const LITHIUM = {
  file: 'lithium-fabric-0.15.0+mc1.21.8.jar',
  enabled: true,
  sizeBytes: 773_000,
  name: 'Lithium',
  version: 'mc1.21.8-0.15.0',
  projectId: 'gvQqBUqZ',
  versionId: 'pDfTqezk',
  slug: 'lithium',
  fits: true,
} satisfies InstalledMod;

/** The example of each schema, by the schema's id. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  ActionResponse: { success: true, message: '"Demo" is starting.' } satisfies ActionResponse,
  AuditPage: {
    entries: [
      {
        id: 4711,
        at: EXAMPLE_TIME,
        who: 'anna (token my-bot)',
        from: '192.0.2.7',
        method: 'POST',
        path: '/instances/demo/commands',
        instance: INSTANCE,
        command: 'op',
        status: 200,
        requestId: '5f0c4b5e-1c0b-4a39-9a55-7f3b0d9e2c11',
      },
    ],
    next: 4711,
  } satisfies AuditPage,
  BackupRequest: { cloudReplicate: false },
  BackupResponse: {
    backupId: BACKUP,
    sizeBytes: 18_350_080,
    sha256: SHA256,
    cloudStatus: 'pending',
  } satisfies BackupResponse,
  BackupRetention: { count: 5, daily: 14 } satisfies RetentionSettings,
  FileDifferences: {
    differences: [
      {
        path: 'server.properties',
        change: 'changed',
        backup: { kind: 'file', sizeBytes: 1_204, modifiedAt: EXAMPLE_TIME },
        today: { kind: 'file', sizeBytes: 1_198, modifiedAt: LATER },
      },
    ],
  } satisfies FileDifferences,
  FileHistory: {
    versions: [{ version: 'mfx2k1a0-5f3a9c01', replacedAt: LATER, modifiedAt: EXAMPLE_TIME, sizeBytes: 1_198 }],
  } satisfies FileHistory,
  VersionRestore: { path: 'server.properties', version: 'mfx2k1a0-5f3a9c01' } satisfies VersionRestore,
  FileSearch: {
    matches: [
      {
        path: 'server.properties',
        kind: 'file',
        sizeBytes: 1_204,
        modifiedAt: EXAMPLE_TIME,
        lines: [{ number: 21, text: 'motd=A Minecraft Server' }],
      },
    ],
  } satisfies FileSearch,
  FileUsage: {
    sizeBytes: 91_204_100,
    files: 412,
    entries: [
      { name: 'world', kind: 'folder', sizeBytes: 91_202_896, files: 411 },
      { name: 'server.properties', kind: 'file', sizeBytes: 1_204, files: 1 },
    ],
    keptBytes: 0,
  } satisfies FileUsage,
  FileList: {
    entries: [
      { name: 'world', kind: 'folder', sizeBytes: 0, modifiedAt: EXAMPLE_TIME },
      { name: 'server.properties', kind: 'file', sizeBytes: 1_204, modifiedAt: EXAMPLE_TIME },
    ],
  } satisfies FileList,
  ChangePassword: { currentPassword: 'correct horse battery', newPassword: 'staple correct horse' },
  CloneInstance: { name: 'Demo for trying things', port: 25_570 } satisfies CloneInstance,
  CommandRequest: { command: 'list' },
  CommandResponse: { output: 'There are 1 of a max of 20 players online: Steve' },
  ConsoleTicket: { ticket: '5x0ZMcXn8Vd1cGJ0m3uQ6e2yq0m5J4cXk0y1Jw8k9aE', expiresAt: EXAMPLE_TIME },
  CreateFromModpack: {
    ...{ project: 'fabulously-optimized', memoryMb: 6144, acceptEula: true, start: true },
  } satisfies Partial<CreateFromModpack>,
  CrashReports: {
    crashes: [
      {
        at: EXAMPLE_TIME,
        exitCode: 1,
        signal: null,
        reason: 'Java ran out of memory: 1024 MiB are not enough. Give the instance more memory.',
        restarts: 0,
        lines: ['Exception in thread "Server thread" java.lang.OutOfMemoryError: Java heap space'],
      },
    ],
  },
  CreatedToken: {
    id: TOKEN,
    token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJqdGkiOiIyZjBjNmE1MiJ9.c2lnbmF0dXJl',
    name: 'my-bot',
    scopes: ['servers:read', 'servers:write'],
    expiresAt: LATER,
  } satisfies CreatedToken,
  CreatedUser: { ...ANNA, mustChangePassword: true, password: 'k7fm-2xqa-wu9c-hd4p' } satisfies CreatedUser,
  RestoreFiles: { paths: ['server.properties', 'plugins'] } satisfies RestoreFiles,
  RuntimeUpdate: { javaVersion: '21', release: 'jdk-21.0.9+10', updated: true } satisfies RuntimeUpdate,
  CreateInstance: { name: 'Demo', software: 'demo', memoryMb: 1024 },
  LaunchCommand: { command: ['./server', '--port', '{port}'] },
  ChangeLink: { scopes: ['servers:read', 'logs:read'] } satisfies ChangeLink,
  CreateLink: { url: PROXY, name: 'Basement', scopes: ['servers:read', 'servers:write'] } satisfies CreateLink,
  CreateToken: { name: 'my-bot', scopes: ['servers:read', 'servers:write'], ttlSeconds: 2_592_000 },
  CreateUser: { username: 'anna', role: 'operator', instances: ANNA.instances },
  DeletedFile: { trashId: TRASH_ID } satisfies DeletedFile,
  CheckedKind: {
    kind: 'arena',
    title: 'Arena',
    text: '{"kind":"arena","extends":"custom","title":"Arena"}',
    notes: ['Its ready text was not taken over.'],
    scripts: [{ title: 'Installation script', text: 'curl -o arena https://example.org/arena' }],
  } satisfies CheckedKind,
  KindFile: { text: '{"kind":"arena","extends":"custom","title":"Arena"}' } satisfies KindFile,
  CreateArchive: { path: 'plugins', names: ['shop', 'shop.yml'], to: 'plugins/shop.zip' } satisfies CreateArchive,
  ExtractArchive: { path: 'plugins/maps.zip', to: 'plugins' } satisfies ExtractArchive,
  World: WORLD,
  WorldList: { worlds: [WORLD] } satisfies WorldList,
  WorldReplacement: { folder: 'world', archive: 'castle.zip' } satisfies WorldReplacement,
  WorldReset: { folder: 'world', seed: '42' } satisfies WorldReset,
  FileMove: { from: 'server.properties', to: 'server.properties.old' } satisfies FileMove,
  Gamerule: {
    ...{ name: 'keepInventory', key: 'keep_inventory', known: true, type: 'boolean', value: false },
    description: 'Players keep their items and experience when they die.',
  } satisfies Gamerule,
  HealthResponse: { status: 'ok', version: '1.9.9', platform: 'linux', activeInstances: 1 } satisfies HealthResponse,
  InstalledMod: LITHIUM,
  InstallMod: { project: 'lithium' },
  Instance: {
    id: INSTANCE,
    name: 'Demo',
    software: 'demo',
    version: '1.20.4',
    port: 25_565,
    status: 'running',
    playersOnline: 1,
    maxPlayers: 20,
    memoryMb: 1024,
    phase: 'running',
    cpuPercent: 2.5,
    memoryUsedMb: 88,
    tickTimeMs: 3.2,
    tps: 20,
    uptimeSeconds: 3600,
  } satisfies Instance,
  ImportedInstance: {
    id: 'survival',
    name: 'survival',
    software: 'paper',
    version: '1.21.8',
    port: 25_565,
    status: 'stopped',
    memoryMb: 5120,
    recognised: RECOGNITION,
  } satisfies ImportedInstance,
  ImportInstance: { directory: '/srv/survival' } satisfies Partial<ImportInstance>,
  NewFolder: { path: 'plugins/maps' } satisfies NewFolder,
  Job: {
    jobId: JOB,
    kind: 'backup',
    instanceId: INSTANCE,
    state: 'running',
    percent: 42.5,
    bytesDone: 7_798_784,
    bytesTotal: 18_350_080,
    createdAt: EXAMPLE_TIME,
  } satisfies Job,
  Link: {
    proxy: {
      issuer: PROXY,
      daemonId: DAEMON,
      resource: `urn:uuid:${DAEMON}`,
      name: 'Basement',
      account: 'anna',
      scopes: ['servers:read', 'servers:write'],
      telemetry: false,
      linkedAt: EXAMPLE_TIME,
    },
    status: { state: 'connected', since: EXAMPLE_TIME, latencyMs: 24 },
    request: null,
    lastRequest: { id: JOB, issuer: PROXY, outcome: 'approved', at: EXAMPLE_TIME },
  } satisfies Link,
  LinkRequest: {
    id: JOB,
    issuer: PROXY,
    name: 'Basement',
    scopes: ['servers:read', 'servers:write'],
    telemetry: false,
    userCode: 'WDJB-MJHT',
    verificationUri: `${PROXY}/device`,
    verificationUriComplete: `${PROXY}/device?user_code=WDJB-MJHT`,
    expiresAt: LATER,
  } satisfies LinkRequest,
  LoginRequest: { username: 'admin', password: 'correct horse battery' },
  LogoutRequest: { everywhere: true },
  LoginResponse: { username: 'admin', role: 'admin', expiresAt: EXAMPLE_TIME, mustChangePassword: false },
  LogsResponse: {
    lines: ['[08:15:00] [Server thread/INFO]: Steve joined the game', '[08:15:02] [Server thread/INFO]: <Steve> hi'],
  } satisfies LogsResponse,
  ModChanges: {
    state: 'done',
    changes: [
      {
        action: 'install',
        name: LITHIUM.name,
        file: LITHIUM.file,
        projectId: LITHIUM.projectId,
        version: LITHIUM.version,
      },
    ],
    notes: [],
  } satisfies ModChanges,
  ModList: { folder: 'mods', loaders: ['fabric'], mods: [LITHIUM] } satisfies ModList,
  ModpackSearch: {
    hits: [
      {
        projectId: '1KVo5zza',
        slug: 'fabulously-optimized',
        title: 'Fabulously Optimized',
        description: 'Beautiful graphics, speedy performance and familiar features',
        author: 'robotkoer',
        downloads: 9_000_000,
      },
    ],
    offset: 0,
    limit: 20,
    total: 1,
  } satisfies ModpackSearch,
  ModpackVersions: {
    versions: [
      {
        versionId: 'fgN0OSjF',
        version: '10.2.0',
        channel: 'release',
        publishedAt: EXAMPLE_TIME,
        gameVersions: ['1.21.8'],
        loaders: ['fabric'],
        suggestedMemoryMb: 6144,
      },
    ],
  } satisfies ModpackVersions,
  ModSearch: {
    hits: [
      {
        projectId: LITHIUM.projectId,
        slug: LITHIUM.slug,
        title: LITHIUM.name,
        description: 'No-compromises game logic optimization mod',
        author: 'jellysquid3',
        downloads: 60_000_000,
        installed: true,
      },
    ],
    offset: 0,
    limit: 20,
    total: 1,
  } satisfies ModSearch,
  OutsideTest: {
    reachable: true,
    address: 'demo.example.net',
    from: 'https://proxy.example.net',
    pingMs: 31,
    version: '1.21.4',
    playersOnline: 2,
    maxPlayers: 20,
  } satisfies OutsideTest,
  PinBackup: { pinned: true },
  Ban: {
    name: 'Herobrine',
    uuid: 'f84c6a79-0a4e-45e0-879b-cd49ebd4c4e2',
    reason: 'Be kind.',
    source: 'Server',
    createdAt: EXAMPLE_TIME,
  },
  Operator: { name: 'Steve', uuid: '8667ba71-b85a-4004-af54-457a9734eed7', level: 4 },
  AllowedPlayer: { name: 'Steve', uuid: '8667ba71-b85a-4004-af54-457a9734eed7' },
  Player: { name: 'Steve', uuid: '8667ba71-b85a-4004-af54-457a9734eed7', op: false, since: EXAMPLE_TIME },
  AddPlayers: { names: ['Steve', 'Alex'] },
  AddedPlayers: { added: ['Steve'], failed: [{ name: 'Alex', detail: 'Player is already whitelisted' }] },
  SeenPlayer: { name: 'Steve', lastSeen: EXAMPLE_TIME, playSeconds: 5_400, online: false },
  PlayerSkins: {
    enabled: true,
    players: [{ name: 'Steve', texture: TEXTURE }],
    pending: false,
  } satisfies PlayerSkins,
  PlayerActionRequest: { reason: 'Be kind.' },
  ChangedProperties: { properties: { 'server-port': '25565', motd: 'Hello', 'rcon.password': '********' } },
  ConfiguredPort: { instanceId: INSTANCE, port: 25_565, transport: 'tcp', purpose: 'game' } satisfies ConfiguredPort,
  Properties: { properties: { 'server-port': '25565', motd: 'Hello', 'rcon.password': '********' } },
  PropertiesSchema: {
    file: 'server.properties',
    properties: [
      {
        key: 'view-distance',
        type: 'integer',
        minimum: 2,
        maximum: 32,
        default: '10',
        description: 'Chunks that players see in each direction. Costs memory and CPU.',
        secret: false,
        takesEffect: 'restart',
        live: 'management',
      },
    ],
  } satisfies PropertiesSchema,
  Recognition: RECOGNITION,
  RecoveryCodes: { recoveryCodes: ['k7fm-2xqa-wu9c-hd4p', '9bqe-rt5m-zc3v-n6ya'] },
  RecoveryCodesRequest: { password: 'correct horse battery' },
  RemoveTotpRequest: { code: '492039' },
  ScheduleHistory: { runs: [RUN] },
  Schedules: { schedules: [SCHEDULE] },
  Session: {
    username: 'anna',
    role: 'operator',
    expiresAt: EXAMPLE_TIME,
    mustChangePassword: false,
    instances: ANNA.instances,
    totp: true,
    recoveryCodes: 10,
    lanAddresses: ['192.168.178.20'],
  } satisfies SessionInfo,
  SetGamerules: { rules: { keepInventory: true, randomTickSpeed: 3 } } satisfies SetGamerules,
  SetSchedules: { schedules: [NIGHTLY] },
  // Only for those who ask for the document: the first parse prepares the whole schema, which would take a fiftieth of the start.
  get Settings() {
    return {
      ...settings.parse({ remoteControl: { allowedHosts: ['games.example.net'] } }),
      overridden: [{ key: 'remoteControl.panelPort', variable: 'GAMEKEEPER_PORT' }],
    };
  },
  HostState: {
    cpuPercent: 12.5,
    memory: { usedBytes: 9_663_676_416, totalBytes: 17_179_869_184 },
    disk: { freeBytes: 180_000_000_000, totalBytes: 500_000_000_000 },
    backups: [{ instanceId: 'survival', createdAt: '2026-11-20T03:00:12.000Z' }],
    pausedSchedules: ['creative'],
  } satisfies HostState,
  SftpState: {
    enabled: true,
    listening: {
      host: '127.0.0.1',
      port: 25_582,
      fingerprint: 'SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs',
    },
  } satisfies SftpState,
  NewSshKey: {
    publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBkYzVyOGpKbm1vcHFyc3R1dnd4eXoxMjM0NTY3ODkw anna@laptop',
    label: 'Laptop',
    password: 'correct horse battery',
  } satisfies NewSshKey,
  SshKey: {
    id: '0d1f3c52-6f0e-4c1c-9f1e-2f6f0a0f7b51',
    label: 'Laptop',
    type: 'ssh-ed25519',
    fingerprint: 'SHA256:NoF7mDYQ2cFxDPCYXr5KXUZJqFu4iDVJ7DUGqT5wgJs',
    createdAt: EXAMPLE_TIME,
  } satisfies SshKey,
  SettingsChange: { remoteControl: { enabled: false } },
  Token: {
    id: TOKEN,
    name: 'my-bot',
    scopes: ['servers:read', 'servers:write'],
    createdAt: EXAMPLE_TIME,
    expiresAt: LATER,
    createdBy: 'admin',
    unrestricted: false,
  } satisfies TokenInfo,
  TotpBegun: {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Gamekeeper:anna?issuer=Gamekeeper&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  },
  TotpRequest: { password: 'correct horse battery' },
  TunnelResponse: {
    enabled: true,
    tunnelAddress: 'demo.example.net',
    numericAddress: '203.0.113.7:25565',
    pingMs: 23,
    provider: 'static',
    state: 'up',
    lastCheckedAt: '2026-11-20T18:03:11.000Z',
  } satisfies TunnelResponse,
  TunnelSettings: {
    provider: 'static',
    address: 'demo.example.net:25565',
    mapping: 'none',
  } satisfies TunnelSettingsDocument,
  TunnelSettingsInput: {
    provider: 'static',
    address: 'demo.example.net:25565',
    mapping: 'none',
  } satisfies TunnelSettingsDocument,
  Unlinked: { proxyTold: true } satisfies Unlinked,
  UpdateMods: { dryRun: true },
  WrittenFile: {
    path: 'plugins/shop.yml',
    sizeBytes: 1041,
    modifiedAt: EXAMPLE_TIME,
    etag: '"1s-8x2k-sx-1gq0f2-1gq0f3"',
  } satisfies WrittenFile,
  UpdateInstance: { name: 'Demo of mine', autoStart: true },
  ChangeVariables: { variables: { map: 'de_aztec', slots: null } } satisfies ChangeVariables,
  KindVariable: MAP_VARIABLE,
  VariableRule: MAP_VARIABLE.rule,
  InstanceVariable: { ...MAP_VARIABLE, value: 'de_aztec', isSet: true } satisfies InstanceVariable,
  UpdateUser: { role: 'viewer' },
  User: ANNA,
};

/** The example of a parameter or field by its name, if no schema around it has one. */
export const EXAMPLES_BY_NAME: Readonly<Record<string, unknown>> = {
  kind: 'demo',
  title: 'Demo server',
  defaultVersion: '1.20.4',
  id: INSTANCE,
  instanceId: INSTANCE,
  backupId: BACKUP,
  jobId: JOB,
  mod: LITHIUM.slug,
  project: LITHIUM.slug,
  query: LITHIUM.slug,
  name: 'Steve',
  username: 'anna',
  store: 'offsite',
  sha256: SHA256,
  contains: 'joined',
  who: 'anna',
  instance: INSTANCE,
  before: 4711,
  after: 1041,
  texture: TEXTURE,
  trashId: TRASH_ID,
  uploadId: '3a5f1f0f7d113a5f1f0f7d113a5f1f0f',
  cursor: 'WyJ3b3JsZCIsdHJ1ZSwid29ybGQiXQ',
  path: 'plugins/shop.yml',
  columns: 120,
  rows: 30,
  software: 'demo',
  version: '1.20.4',
  error: 'The store did not answer.',
  ticket: '5x0ZMcXn8Vd1cGJ0m3uQ6e2yq0m5J4cXk0y1Jw8k9aE',
};
