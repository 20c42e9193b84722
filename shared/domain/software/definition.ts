/**
 * What Gamekeeper knows about one kind of server software. Data only: how it is launched, when it is ready, how it saves and stops.
 * Regular expressions are source strings, matched against the message *behind* the log prefix, so that chat cannot fake them.
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
  /** True when the server needs files or a Java runtime that `jobs` has to put in place before the start. */
  needsInstall: boolean;
  /** How the process is made. `program` comes from the instance (`launch`); `embedded` ships with Gamekeeper; `jar` is Java. */
  launch:
    | { type: 'program' }
    | { type: 'embedded'; entry: string; args: readonly string[] }
    | { type: 'jar'; jar: string; args: readonly string[] };
  /** True when RCON is configured through `server.properties` (`enable-rcon`, `rcon.port`, `rcon.password`). */
  rcon: boolean;
  /** True when the port and the player limit live in `server.properties`. */
  serverProperties: boolean;
  /** Answers the Java edition's server list ping. */
  listPing: boolean;
  /** The line that says that players can join; `null`: ready once the port accepts connections. */
  readyPattern: string | null;
  stopCommand: string;
  save: SaveCommands;
  /** Sent before the stop command so that the world is on disk even if the stop is cut short; `null`: none. */
  saveBeforeStop: string | null;
  /** Commands of the players' actions, `{name}` and `{reason}` filled in; absent: the kind has no such action. */
  playerCommands: Readonly<Record<string, string>>;
  /** Answers to a player command that mean that there is no such player, and that it failed otherwise. */
  playerNotFoundPattern: string | null;
  commandFailedPattern: string | null;
}

/** How the world is held still for a backup. All absent: it cannot be. */
export interface SaveCommands {
  off?: string;
  flush?: string;
  on?: string;
  /** Confirms `off`, in the log (behind the prefix) or in the RCON answer. Absent: whatever does not say that it failed does. */
  heldPattern?: string;
  /** Confirms `flush`, in the log (behind the prefix) or in the RCON answer. */
  savedPattern?: string;
  /** Says, in the same places, that `flush` failed: there is nothing more to wait for. */
  notSavedPattern?: string;
}
