import { JAVA_VERSIONS, type JavaVersion } from '../../../shared/domain/java/java-version.ts';
import type { Sureness } from '../../../shared/schema/import.ts';
import type { FolderView } from './folder-view.ts';

/** A start script, as far as it can be understood without running it. */
export interface StartScript {
  name: string;
  jar?: string;
  /** The file with arguments for Java that it names, besides that of the owner's options. */
  argumentsFile?: string;
  /** MiB. */
  heapMb?: number;
  /** From the path of Java: `/usr/lib/jvm/java-17-openjdk/bin/java`. */
  java?: JavaVersion;
  /** True if it sets JVM options, which an import does not use. */
  hasOptions: boolean;
}

/** The owner's options for the JVM. Forge and NeoForge create the file once and never change it. */
const OWN_OPTIONS = 'user_jvm_args.txt';
const SCRIPT = /\.(?:sh|bat|cmd|ps1|command)$/i;
const USUAL = /^(?:run|start|launch|server|startserver|serverstart)/i;
const MAX_SCRIPTS = 20;
const SCRIPT_BYTES = 64 * 1024;

/** Returns the start scripts of a folder, the likeliest first. Scripts that do not start Java are left out. */
export function startScripts(view: FolderView): StartScript[] {
  const names = view.names().filter((name) => SCRIPT.test(name));
  const sorted = [...names.filter((name) => USUAL.test(name)), ...names.filter((name) => !USUAL.test(name))];
  return sorted.slice(0, MAX_SCRIPTS).flatMap((name) => {
    const text = view.text(name, SCRIPT_BYTES);
    return text !== undefined && /java/i.test(text) ? [readScript(name, withoutComments(text))] : [];
  });
}

/** Returns the heap set by the owner's options, else by a script. */
export function heapOf(
  view: FolderView,
  scripts: readonly StartScript[],
): { value: number; from: string; sure: Sureness } | undefined {
  const own = heapIn(withoutComments(view.text(OWN_OPTIONS) ?? ''));
  if (own !== undefined) return { value: own, from: OWN_OPTIONS, sure: 'certain' };
  const script = scripts.find(({ heapMb }) => heapMb !== undefined);
  return script && { value: script.heapMb!, from: script.name, sure: 'likely' };
}

function readScript(name: string, text: string): StartScript {
  const jar = /-jar\s+(?:"([^"]+\.jar)"|'([^']+\.jar)'|([^\s"']+\.jar))/i.exec(text);
  const argumentsFile = [...text.matchAll(/@([\w./+-]+_args\.txt)/g)]
    .map(([, file]) => file!)
    .find((file) => file !== OWN_OPTIONS);
  const heap = heapIn(text);
  const java = javaIn(text);
  return {
    name,
    ...(jar && { jar: (jar[1] ?? jar[2] ?? jar[3]!).replace(/^\.[\\/]/, '').replaceAll('\\', '/') }),
    ...(argumentsFile !== undefined && { argumentsFile }),
    ...(heap !== undefined && { heapMb: heap }),
    ...(java !== undefined && { java }),
    hasOptions: /\s-(?:XX:|D[\w.]+=|javaagent:)/.test(text),
  };
}

const MIB_OF: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 };

/** `-Xmx4G`; without a unit, bytes. */
function heapIn(text: string): number | undefined {
  const [, amount, unit] = /(?:^|\s)-Xmx(\d{1,12})([kmgt]?)(?=\s|$|["'])/im.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  const mib = Math.round(Number(amount) * (MIB_OF[unit.toLowerCase()] ?? 1 / 1024 ** 2));
  return mib >= 64 && mib <= 1_000_000 ? mib : undefined;
}

function javaIn(text: string): JavaVersion | undefined {
  const number = /(?:jdk|jre|java|temurin|zulu|corretto|openjdk)[-_/\\]?(?:1\.)?(\d{1,2})(?!\d)[^\s"']*[/\\]java/i.exec(
    text,
  )?.[1];
  return JAVA_VERSIONS.find((version) => version === number);
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:#|rem\s|::).*$/gim, '');
}
