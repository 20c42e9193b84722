import type { PlayerList } from '../players/player-list.ts';
import type { AdminRule } from './admin-channel.ts';
import type { Variable } from './variable.ts';

/**
 * One kind of server software, as in the files of `kinds/` (docs/adding-a-software-kind.md). Regular expressions are source strings,
 * matched against the message after the log prefix, so that chat cannot fake them.
 */
export interface SoftwareDefinition {
  kind: string;
  title: string;
  /** Of Minecraft. Without meaning for other games. */
  edition: 'java' | 'bedrock';
  /** Version of a new instance if the request names none; `null`: the vendor's newest stable version. */
  defaultVersion: string | null;
  /** True if the vendor's licence must be accepted before a start; written as `eula=true` into `eula.txt`. */
  eula: boolean;
  /** Where the program comes from; absent: nothing is installed. */
  install?: InstallRule;
  /** The Java it needs; absent: none, unless the instance names one. */
  java?: JavaRule;
  launch: LaunchRule;
  /** What its servers can have each in their own way, filled in for `{name}`. Absent: nothing. */
  variables?: readonly Variable[];
  /** First port to try for players, and its transport. Filled in for `{port}`. */
  gamePort: { first: number; transport: Transport };
  /** Its other ports, filled in for `{port.name}`. Absent: none. */
  ports?: readonly PortRule[];
  /** True if RCON is configured in `server.properties` (`enable-rcon`, `rcon.port`, `rcon.password`). */
  rcon: boolean;
  /** How it takes commands, if not over that RCON. Absent: only from its console. */
  admin?: AdminRule;
  /** True if the port and the player limit are in `server.properties`. */
  serverProperties: boolean;
  /** Settings file of software without `server.properties`. */
  settingsFile?: string;
  /** Answers the server list ping: Java edition over TCP, Bedrock edition over UDP. */
  listPing: boolean;
  /** How its players are known without that ping. Absent: only from its console, in the words of Minecraft. */
  players?: PlayersRule;
  /** Matches the prefix that is cut off a line before patterns match, at its beginning. Absent: the prefixes of Minecraft's servers. */
  logPrefix?: string;
  /** The line that shows that players can join. */
  readyPattern: string | null;
  /** Without such a line: how long it takes until players can join. Absent as well: until it has its game port. */
  readyAfterSeconds?: number;
  stopCommand: string;
  /** Settings files whose keys are set before each start. Absent: none. */
  configFiles?: readonly ConfigFile[];
  /** How to stop it, if not by `stopCommand` within a minute. */
  stop?: StopRule;
  /** True if it keeps running without a terminal, as a JVM does. */
  survivesHangup?: boolean;
  save: SaveCommands;
  /** Sent before the stop command, so that the world is on disk even if the stop is interrupted; `null`: none. */
  saveBeforeStop: string | null;
  /** Sends a message to all players, with `{message}` filled in; `null`: there is no such command. */
  announceCommand: string | null;
  /** Commands of player actions, with `{name}` and `{reason}` filled in; absent: no such action. */
  playerCommands: Readonly<Record<string, string>>;
  /** Responses that mean success, with `{name}` filled in, ignoring case; absent: unknown. */
  playerDonePatterns: Readonly<Record<string, string>>;
  /** Responses to a player action that mean that the player does not exist, and that the action failed for another reason. */
  playerNotFoundPattern: string | null;
  commandFailedPattern: string | null;
  /** Files of its player lists in its folder; absent: no such list. */
  playerLists: Readonly<Partial<Record<PlayerList, string>>>;
  /** Properties that a running server takes from a command, by key. Absent: none. */
  liveProperties?: Readonly<Record<string, LiveProperty>>;
  /** Game rules that a running server shows and changes with Minecraft's command `gamerule`. Absent: it has none. */
  gamerules?: GamerulesRule;
  /** Ways to ask for the tick time over RCON, in the order of attempts; absent or empty: none. */
  tickTime?: readonly TickQuestion[];
  /** Absent: it runs neither mods nor plugins. */
  mods?: ModRule;
  /** True if it was only tested with stand-ins for the vendor's program. */
  untested?: boolean;
}

export type Transport = 'tcp' | 'udp';

export interface PortRule {
  name: string;
  transport: Transport;
  /** First port to try. */
  first?: number;
  /** In place of `first`: the distance to the game port. */
  offset?: number;
}

export const CONFIG_FORMATS = ['ini', 'json', 'yaml', 'toml', 'xml', 'properties', 'lines'] as const;

export interface ConfigFile {
  /** In the server's folder. A missing file is created, except XML. */
  file: string;
  format: (typeof CONFIG_FORMATS)[number];
  /** Values by key. Placeholders are filled in. A list is a key that occurs several times, or a list of the format. */
  set: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

/** A command for its console or a signal, and how long it then has. Absent: the instance's `stopCommand`, 60 s. */
export interface StopRule {
  command?: string;
  signal?: 'INT' | 'TERM';
  /** Of new instances, which can change it (`stopTimeoutSeconds`). */
  graceSeconds?: number;
}

export interface PlayersRule {
  /** UDP protocol of its player list (shared/node/game-query). Absent: only the console has it. */
  query?: PlayerQuery;
  /** Name of the port that answers; absent: the game port. */
  port?: string;
  /** Line of the console that a player joined, or left, matched with and without the log prefix. The group `name` has the player. */
  joined?: string;
  left?: string;
}

export const PLAYER_QUERIES = ['a2s', 'quake3', 'minecraft'] as const;
export type PlayerQuery = (typeof PLAYER_QUERIES)[number];

/**
 * How a running server takes a new value of a property. Sources: minecraft.wiki ("Commands/difficulty", "Commands/defaultgamemode",
 * "Commands/setidletimeout", "Commands/whitelist"; the answers are those of 1.7 to 1.12 and of 1.13 and later), learn.microsoft.com ("Bedrock
 * Dedicated Server", commands), and for Paper its own source: there `difficulty` is for one world, and `server.properties` for new ones.
 */
export interface LiveProperty {
  /** Sent in this order, with `{value}` filled in. */
  commands: readonly string[];
  /** Response to each command that means that the value is in effect, with `{value}` filled in, ignoring case. */
  donePattern: string;
  /** What is filled in for a boolean. Absent: `true` and `false`. */
  written?: { true: string; false: string };
}

export interface GamerulesRule {
  /**
   * Dimensions that have game rules of their own besides the first one, as on Bukkit's servers, whose `gamerule` is for the world of the
   * command (Paper's `GameRuleCommand`). Those that a server lacks are skipped, and before 1.13 all.
   */
  otherWorlds: readonly string[];
}

/** A command without side effects, and how to read its answer. */
export interface TickQuestion {
  command: string;
  /**
   * Matched against the answer without colours. Named groups: `ms`, the mean tick time, or `tps`, ticks per second, or both; and `rate`,
   * the target ticks per second (default 20).
   */
  pattern: string;
}

export interface ModRule {
  folder: 'mods' | 'plugins';
  /** Loaders as Modrinth names them. If a version has several files the one for the first loader is used. */
  loaders: readonly string[];
  /** True if mods are made for the instance's version. False for software with its own version numbers. */
  forMinecraft: boolean;
}

/** How the program is installed into the instance's folder. */
export type InstallRule = VendorInstall | { steps: readonly InstallStep[] };

/** Installs a download of a vendor whose API is known. `{version}`, `{build}` and `{directory}` are filled in. */
export interface VendorInstall {
  source: VersionSource;
  as: /** The download is the program. */
    | { type: 'file'; name: string }
    /** The download is a Java installer, run with these arguments in the instance's folder. */
    | { type: 'installer'; args: readonly string[] }
    /** The download is a ZIP. Existing files that match `keep` are not overwritten. */
    | { type: 'archive'; keep: readonly string[]; executables: readonly string[] };
}

/**
 * One step of an installation. Paths are relative to the server's folder, with `/`, and no link is followed on the way. Variables and the
 * placeholders that do not depend on ports are filled in where noted.
 */
export type InstallStep =
  /** `url` is filled in after the host. Without `sha256`, each installation downloads it again. */
  | { type: 'download'; url: string; sha256?: string; target: string }
  /** An app of Steam that needs no account. `beta`, a branch, is filled in; `public`: the default one. `to`: a subfolder. */
  | { type: 'steam'; appId: number; beta?: string; to?: string }
  /**
   * A ZIP, tar.gz or tar.xz. `from`: only what is in these folders of it, with `*` for any characters of a name. Existing files that match
   * `keep` are not overwritten.
   */
  | { type: 'unpack'; file: string; from?: string; to?: string; keep?: readonly string[] }
  /** A file or a folder. An existing folder is merged, existing files are replaced unless they match `keep`. */
  | { type: 'move'; from: string; to: string; keep?: readonly string[] }
  | { type: 'mkdir'; folder: string }
  /** Creates a file; an existing one stays. `text` is filled in. */
  | { type: 'write'; file: string; text: string }
  /** Makes files executable. */
  | { type: 'chmod'; files: readonly string[] }
  /** Runs a program: with a slash one in the folder, else one on the PATH. `args` are filled in. Skipped if `creates` exists. */
  | { type: 'run'; program: string; args: readonly string[]; creates?: string; timeoutSeconds?: number };

/** A vendor's API for versions and downloads: workers/jobs/software/sources has a reader for each. */
export type VersionSource =
  | { type: 'mojang-manifest' }
  /** `stableBy`: a version is stable if one of its builds is, whatever its name (all of Velocity's are called snapshots). */
  | { type: 'paper-fill'; project: string; stableBy?: 'builds' }
  | { type: 'purpur'; project: string }
  | { type: 'fabric-meta' }
  | { type: 'quilt-meta' }
  | { type: 'forge-promotions' }
  | { type: 'neoforge-maven' }
  | { type: 'bedrock-links' }
  | { type: 'fixed'; versions: readonly FixedVersion[] };

export interface FixedVersion {
  version: string;
  stable?: boolean;
  url: string;
  /** Lower-case hex. */
  sha256?: string;
  java?: number;
}

/** The instance's own `javaVersion` takes precedence over `older`, and that over `needed`. */
export interface JavaRule {
  /** The first that applies: this major version below that version of Minecraft. */
  older?: readonly { below: string; major: number }[];
  /** `minecraft`: from Mojang's manifest; `vendor`: from the vendor's answer; or a fixed version. */
  needed: 'minecraft' | 'vendor' | number;
}

export type LaunchRule =
  | { type: 'program' }
  /** Part of Gamekeeper; `entry` is in `dist/`. */
  | { type: 'embedded'; entry: string; args: readonly string[] }
  /** On Java: the first of these files that exists in the folder. Placeholders in arguments are filled in. */
  | { type: 'java'; start: readonly JavaStart[]; args: readonly string[] }
  /** A program in the folder, by operating system (`linux`, `win32`). Placeholders in arguments and environment are filled in. */
  | {
      type: 'installed';
      program: Readonly<Record<string, string>>;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
    }
  /** A program of the machine: the first of `program` on the PATH or among the games of the system. `missing` says how to get it. */
  | {
      type: 'system';
      program: readonly string[];
      args: readonly string[];
      env: Readonly<Record<string, string>>;
      missing: string;
    };

/** `{version}` and `{build}` are filled in, `{os}` is `unix` or `win`. */
export type JavaStart = { jar: string } | { argumentsFile: string };

/** How to keep the server from writing to its world during a backup. All absent: impossible. */
export interface SaveCommands {
  off?: string;
  flush?: string;
  on?: string;
  /** Confirms `off`, in the log (after the prefix) or in the RCON answer. Absent: any answer that does not report a failure. */
  heldPattern?: string;
  /** Confirms `flush`, in the log (after the prefix) or in the RCON answer. */
  savedPattern?: string;
  /** `flush` only asks whether saving is done: it is repeated at this interval until confirmed. Milliseconds. */
  flushAgainMs?: number;
  /** Means, in the same places, that `flush` failed. */
  notSavedPattern?: string;
}
