import type { PlayerList } from '../player-list.ts';

/**
 * What Gamekeeper knows about one kind of server software: the shape of the files in `kinds/`. Data only: where it comes from, how it is
 * launched, when it is ready, how it saves and stops. Regular expressions are source strings, matched against the message *behind* the
 * log prefix, so that chat cannot fake them. See docs/adding-a-software-kind.md.
 */
export interface SoftwareDefinition {
  kind: string;
  /** Display name. */
  title: string;
  edition: 'java' | 'bedrock';
  /** Version that a new instance gets when the request names none; `null`: the newest stable of the vendor. */
  defaultVersion: string | null;
  /** True when the vendor's licence must be accepted before a start; written as `eula=true` into `eula.txt`. */
  eula: boolean;
  /** Where the program comes from; absent: there is nothing to be installed. */
  install?: InstallRule;
  /** Which Java it runs on; absent: none, unless the instance names one. */
  java?: JavaRule;
  launch: LaunchRule;
  /** Where the port that players use may begin, and over what it is reached. */
  gamePort: { first: number; transport: 'tcp' | 'udp' };
  /** True when RCON is configured through `server.properties` (`enable-rcon`, `rcon.port`, `rcon.password`). */
  rcon: boolean;
  /** True when the port and the player limit live in `server.properties`. */
  serverProperties: boolean;
  /** The file that holds the settings of a kind that has no `server.properties` at all. */
  settingsFile?: string;
  /** Answers the server list's ping: the Java edition's over TCP, the Bedrock edition's over UDP. */
  listPing: boolean;
  /** The line that says that players can join; `null`: ready once the port accepts connections. */
  readyPattern: string | null;
  stopCommand: string;
  save: SaveCommands;
  /** Sent before the stop command so that the world is on disk even if the stop is cut short; `null`: none. */
  saveBeforeStop: string | null;
  /** Tells all players something, `{message}` filled in; `null`: it has no such command. */
  announceCommand: string | null;
  /** Commands of the players' actions, `{name}` and `{reason}` filled in; absent: the kind has no such action. */
  playerCommands: Readonly<Record<string, string>>;
  /** Answers that mean that an action was carried out, `{name}` filled in, in whatever case; absent: nobody knows the words. */
  playerDonePatterns: Readonly<Record<string, string>>;
  /** Answers to a player command that mean that there is no such player, and that it failed otherwise. */
  playerNotFoundPattern: string | null;
  commandFailedPattern: string | null;
  /** Its lists of players, as files in its folder; absent: it keeps no such list. */
  playerLists: Readonly<Partial<Record<PlayerList, string>>>;
  /** How it is asked over RCON how long a tick takes, in the order in which they are tried; absent or empty: it cannot be. */
  tickTime?: readonly TickQuestion[];
  /** Mods or plugins that it can be given; absent: none. */
  mods?: ModRule;
}

/** A command that changes nothing, and how its answer is read. */
export interface TickQuestion {
  command: string;
  /**
   * Found in the answer without its colours, with groups of these names: `ms`, the mean time of a tick, or `tps`, ticks per second, or
   * both; and `rate`, the ticks per second that it aims at (20 where it is not told).
   */
  pattern: string;
}

/** Which mods or plugins a kind runs, and where they go. */
export interface ModRule {
  /** Below the instance's folder. */
  folder: 'mods' | 'plugins';
  /** Loaders as Modrinth names them; of several files of one version, that of the first is taken. */
  loaders: readonly string[];
  /** They are made for versions of Minecraft, of which the instance's version is one. False for what has versions of its own. */
  forMinecraft: boolean;
}

/** How the program gets into the instance's folder. `{version}`, `{build}` and `{directory}` are filled in. */
export interface InstallRule {
  source: VersionSource;
  as: /** The download is the program. */
    | { type: 'file'; name: string }
    /** The download is a Java program that installs, run with these arguments in the instance's folder. */
    | { type: 'installer'; args: readonly string[] }
    /** The download is a ZIP. What matches `keep` is the owner's once it is there. */
    | { type: 'archive'; keep: readonly string[]; executables: readonly string[] };
}

/** Somebody's API for versions and downloads: an interpreter for each type is in workers/jobs/software/sources. */
export type VersionSource =
  | { type: 'mojang-manifest' }
  /** `stableBy`: a version is finished when one of its builds is, whatever its name says (Velocity's are all called snapshots). */
  | { type: 'paper-fill'; project: string; stableBy?: 'builds' }
  | { type: 'purpur'; project: string }
  | { type: 'fabric-meta' }
  | { type: 'quilt-meta' }
  | { type: 'forge-promotions' }
  | { type: 'neoforge-maven' }
  | { type: 'bedrock-links' }
  | { type: 'fixed'; versions: readonly FixedVersion[] };

/** A version of which the file itself says everything. */
export interface FixedVersion {
  version: string;
  stable?: boolean;
  url: string;
  /** Lower-case hex. */
  sha256?: string;
  java?: number;
}

/** The instance's own `javaVersion` comes first, then `older`, then what `needed` says. */
export interface JavaRule {
  /** The first that fits: exactly this major version below that version of Minecraft. */
  older?: readonly { below: string; major: number }[];
  /** `minecraft`: what Mojang's manifest says of the version; `vendor`: what the vendor's answer says of it; or always the same. */
  needed: 'minecraft' | 'vendor' | number;
}

/** How the process is made. */
export type LaunchRule =
  /** The instance says it (`launch`). */
  | { type: 'program' }
  /** Ships with us; `entry` is below `dist/`. */
  | { type: 'embedded'; entry: string; args: readonly string[] }
  /** On Java: the first of these that is in the folder. `{port}` in an argument is the instance's. */
  | { type: 'java'; start: readonly JavaStart[]; args: readonly string[] }
  /** A program that was installed into the folder, by the operating system's name (`linux`, `win32`). */
  | {
      type: 'installed';
      program: Readonly<Record<string, string>>;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
    };

/** `{version}` and `{build}` are filled in, `{os}` is `unix` or `win`. */
export type JavaStart = { jar: string } | { argumentsFile: string };

/** How the world is held still for a backup. All absent: it cannot be. */
export interface SaveCommands {
  off?: string;
  flush?: string;
  on?: string;
  /** Confirms `off`, in the log (behind the prefix) or in the RCON answer. Absent: whatever does not say that it failed does. */
  heldPattern?: string;
  /** Confirms `flush`, in the log (behind the prefix) or in the RCON answer. */
  savedPattern?: string;
  /** `flush` only asks whether it is done: it is sent again so often until that is confirmed. Milliseconds. */
  flushAgainMs?: number;
  /** Says, in the same places, that `flush` failed: there is nothing more to wait for. */
  notSavedPattern?: string;
}
