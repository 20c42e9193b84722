import type { Findings } from '../../../shared/schema/import.ts';
import type { FolderView } from './folder-view.ts';
import { type JarFacts, jarFacts } from './jar-facts.ts';
import { findArgumentsFile, unpackedVersions } from './loaders.ts';
import type { StartScript } from './scripts.ts';

/** The program that is started, with its software and version. */
export interface ProgramFindings extends Pick<Findings, 'software' | 'version' | 'build' | 'program' | 'launch'> {
  java?: number;
  title?: string;
}

const MAX_JARS = 40;
/** A loader's jar lies beside the server that it loads, so it ranks higher. */
const RANK = ['quilt', 'fabric', 'forge', 'folia', 'purpur', 'paper', 'velocity', 'custom', 'vanilla'];
const LOG = 'logs/latest.log';
const HISTORY = 'version_history.json';

export async function findProgram(view: FolderView, scripts: readonly StartScript[]): Promise<ProgramFindings> {
  const byArguments = findArgumentsFile(view, scripts);
  if (byArguments) {
    const { kind, name, build, version } = byArguments;
    return {
      software: { value: kind, from: name, sure: 'certain' },
      build: { value: build, from: name, sure: 'certain' },
      program: { value: name, from: name, sure: 'certain' },
      ...(version && { version: { ...version, from: name } }),
    };
  }
  return bedrock(view) ?? (await byJar(view, scripts)) ?? byScript(scripts[0]);
}

function bedrock(view: FolderView): ProgramFindings | undefined {
  const name = ['bedrock_server', 'bedrock_server.exe'].find((one) => view.kindOf(one) === 'file');
  if (name === undefined) return undefined;
  // Each version adds its own packs to those of earlier versions.
  const packs = view.names('behavior_packs').flatMap((pack) => /^vanilla_(\d+(?:\.\d+)+)$/.exec(pack)?.[1] ?? []);
  const [newest] = packs.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  return {
    software: { value: 'bedrock', from: name, sure: 'certain' },
    program: { value: name, from: name, sure: 'certain' },
    ...(newest !== undefined && { version: { value: newest, from: 'behavior_packs', sure: 'guess' } }),
  };
}

async function byJar(view: FolderView, scripts: readonly StartScript[]): Promise<ProgramFindings | undefined> {
  const wanted = scripts.flatMap(({ jar }) => jar ?? []);
  const names = [...new Set([...wanted, ...view.names().filter((name) => /\.jar$/i.test(name))])];
  const jars: JarFacts[] = [];
  for (const name of names.slice(0, MAX_JARS)) {
    const facts = await jarFacts(view, name);
    if (facts) jars.push(facts);
  }
  const rank = ({ kind = '' }: JarFacts) => (RANK.indexOf(kind) === -1 ? RANK.length : RANK.indexOf(kind));
  const [best] = jars
    .filter(({ kind, name }) => kind !== undefined || wanted.includes(name))
    .sort(
      (one, other) =>
        Number(wanted.includes(other.name)) - Number(wanted.includes(one.name)) ||
        rank(one) - rank(other) ||
        view.changedAt(other.name) - view.changedAt(one.name),
    );
  return best && describe(refined(best, view), view, jars);
}

/** Old versions of Paperclip do not tell the kind, but files that the server has written do. */
function refined(jar: JarFacts, view: FolderView): JarFacts {
  if (jar.kind !== 'paper' || jar.sure === 'certain') return jar;
  const written = /git-(Paper|Purpur|Folia)-/.exec(view.text(HISTORY) ?? '')?.[1]?.toLowerCase();
  return written === undefined
    ? { ...jar, ...(view.kindOf('purpur.yml') === 'file' && { kind: 'purpur' }) }
    : { ...jar, kind: written, sure: 'certain' };
}

function describe(jar: JarFacts, view: FolderView, jars: readonly JarFacts[]): ProgramFindings {
  const { name, kind = 'custom', sure, title } = jar;
  const loaded = kind === 'fabric' || kind === 'quilt' ? unpackedVersions(view, kind) : {};
  const vanilla = jars.find((one) => one.kind === 'vanilla' && one !== jar);
  const own = jar.version && { ...jar.version, from: name };
  const build = jar.build ?? loaded.build;
  const ofBuild = kind === 'forge' ? /^(\d[\w.]*)-/.exec(jar.build ?? '')?.[1] : undefined;
  const beside = vanilla?.version?.sure === 'certain' && { ...vanilla.version, from: vanilla.name };
  const version =
    (own?.sure === 'certain' && own) ||
    loaded.version ||
    (ofBuild !== undefined && ({ value: ofBuild, from: name, sure: 'certain' } as const)) ||
    (Object.keys(loaded).length > 0 && beside) ||
    written(view, kind) ||
    own;
  const java = jar.java ?? (beside ? vanilla?.java : undefined);
  return {
    software: { value: kind, from: name, sure: jar.kind === undefined ? 'guess' : sure },
    program: { value: name, from: name, sure: 'certain' },
    ...(version && { version }),
    ...(build !== undefined && { build: { value: build, from: name, sure: 'certain' } }),
    ...(java !== undefined && { java }),
    ...(title !== undefined && { title }),
  };
}

/** Returns the version that the server itself has recorded. */
function written(view: FolderView, kind: string): ProgramFindings['version'] {
  const ofPaper = ['paper', 'folia', 'purpur'].includes(kind);
  const history = ofPaper ? /\(MC: ([\w.-]{1,64})\)/.exec(view.text(HISTORY) ?? '')?.[1] : undefined;
  if (history !== undefined) return { value: history, from: HISTORY, sure: 'certain' };
  const logged = /\bStarting minecraft server version ([\w.-]{1,64})/i.exec(view.text(LOG) ?? '')?.[1];
  return logged === undefined ? undefined : { value: logged, from: LOG, sure: 'likely' };
}

/** An unknown program, of which only the start script is known. */
function byScript(script: StartScript | undefined): ProgramFindings {
  if (!script) return {};
  const { name } = script;
  return {
    software: { value: 'custom', from: name, sure: 'guess' },
    program: { value: name, from: name, sure: 'guess' },
    launch: { value: [`./${name}`], from: name, sure: 'guess' },
  };
}
