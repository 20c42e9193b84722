import { getProperties } from 'properties-file';
import type { Findings } from '../../../shared/schema/import.ts';
import type { FolderView } from './folder-view.ts';

const PROPERTIES = 'server.properties';
const VELOCITY = 'velocity.toml';

/** Returns the findings from the server's settings files. */
export function settingsOf(view: FolderView): Pick<Findings, 'port' | 'rconPort' | 'acceptEula' | 'worlds' | 'notes'> {
  const notes: string[] = [];
  const properties = propertiesOf(view, notes);
  const port = portOf(properties['server-port']);
  const rconPort = portOf(properties['rcon.port']);
  const rconOn = properties['enable-rcon'] === 'true' && Boolean(properties['rcon.password']);
  const bound = /^\s*bind\s*=\s*"(?:[^"]*:)?(\d{1,5})"/m.exec(view.text(VELOCITY) ?? '')?.[1];
  const eula = /^[ \t]*eula[ \t]*=[ \t]*(true|false)[ \t]*$/im.exec(view.text('eula.txt') ?? '')?.[1];
  const worlds = worldsIn(view, properties['level-name']);
  const proxyPort = portOf(bound);
  return {
    ...(port !== undefined && { port: { value: port, from: PROPERTIES, sure: 'certain' } }),
    ...(port === undefined &&
      proxyPort !== undefined && { port: { value: proxyPort, from: VELOCITY, sure: 'certain' } }),
    ...(rconOn && rconPort !== undefined && { rconPort: { value: rconPort, from: PROPERTIES, sure: 'certain' } }),
    ...(eula !== undefined && {
      acceptEula: { value: eula.toLowerCase() === 'true', from: 'eula.txt', sure: 'certain' },
    }),
    ...(worlds.length > 0 && {
      worlds: { value: worlds, from: worlds.map((world) => `${world}/level.dat`).join(', '), sure: 'certain' },
    }),
    notes,
  };
}

/** Returns the files that a running server has open: one in each world. */
export function lockFiles(view: FolderView, worlds: readonly string[]): string[] {
  return worlds
    .flatMap((world) => [`${world}/session.lock`, `${world}/db/LOCK`])
    .filter((file) => view.kindOf(file) === 'file');
}

function propertiesOf(view: FolderView, notes: string[]): Record<string, string> {
  try {
    return getProperties(view.text(PROPERTIES) ?? '');
  } catch {
    notes.push('server.properties cannot be read, so its settings are not used.');
    return {};
  }
}

const MAX_WORLDS = 50;

/** The active world comes first. Bedrock keeps its worlds in a folder. */
function worldsIn(view: FolderView, level: string | undefined): string[] {
  const folders = [...view.names(), ...view.names('worlds').map((name) => `worlds/${name}`)];
  const played = [level, level && `worlds/${level}`];
  return folders
    .filter((name) => view.kindOf(`${name}/level.dat`) === 'file')
    .sort((one, other) => Number(played.includes(other)) - Number(played.includes(one)))
    .slice(0, MAX_WORLDS);
}

function portOf(text: string | undefined): number | undefined {
  const port = Number(text);
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined;
}
