import type { JavaVersion } from '../../../shared/domain/java/java-version.ts';
import { softwareOf } from '../../../shared/domain/software/catalogue.ts';
import { isBelow } from '../../../shared/domain/software/minecraft-version.ts';
import { versionSourceOf } from '../../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { ImportInstance, Recognition } from '../../../shared/schema/import.ts';
import { createInstance } from '../../../shared/schema/instance.ts';
import type { RecogniseResult } from '../../pool/task-types.ts';
import { javaFor, javaOfMinecraft } from '../runtimes/java-for.ts';
import type { Installed } from '../software/installed.ts';

export interface Recognised {
  recognition: Recognition;
  /** Major version of Java that the server needs. */
  java: number | undefined;
  /** The Java version of a start script, if newer: mods or plugins may need it. */
  newerJava: JavaVersion | undefined;
}

type Asked = Pick<ImportInstance, 'software' | 'version'>;

/** Combines what was found with what was requested, works out the Java version, and lists what is missing. */
export function toRecognition(directory: string, found: RecogniseResult, asked: Asked): Recognised {
  const { findings, scriptJava } = found;
  const software = asked.software ?? findings.software?.value;
  const version = asked.version ?? findings.version?.value;
  const java = neededJava(software, version, found.java);
  const provided = java === undefined ? undefined : javaFor(java);
  const isNewer = scriptJava !== undefined && (provided === undefined || Number(scriptJava.value) > Number(provided));
  const isExact = software !== undefined && olderRule(software, version) !== undefined;
  const from = found.java !== undefined ? (findings.program?.from ?? '') : (findings.version?.from ?? '');
  const javaVersion: Recognition['javaVersion'] =
    isNewer && !isExact
      ? { ...scriptJava, sure: 'likely' }
      : provided && { value: provided, from, sure: found.java !== undefined ? 'certain' : 'likely' };
  return {
    recognition: { directory, ...findings, ...(javaVersion && { javaVersion }), missing: missing(found, asked) },
    java,
    newerJava: isNewer && !isExact ? scriptJava.value : undefined,
  };
}

/**
 * Returns the body of POST /instances for an import. Throws `invalid_request` naming a field that must be given, or whose value in the files
 * is not allowed.
 */
export function toCreateRequest({ recognition, newerJava }: Recognised, request: ImportInstance) {
  const [first] = recognition.missing;
  if (first)
    throw new GamekeeperError('invalid_request', `${first.field}: ${first.reason}`, {
      resolution: `Set "${first.field}" in the request. Use dryRun to see what was found in the folder.`,
    });
  const { directory: _, archive: __, dryRun: ___, ...asked } = request;
  const found = recognition;
  const software = asked.software ?? found.software!.value;
  const isCustom = software === 'custom';
  const isFound = software === found.software?.value;
  const version = asked.version ?? (isCustom || !isFound ? undefined : found.version?.value);
  const launch = asked.launch ?? (isCustom && isFound ? asLaunch(found.launch?.value) : undefined);
  const javaVersion = asked.javaVersion ?? (isCustom ? found.javaVersion?.value : newerJava);
  const wanted = {
    port: found.port?.value,
    memoryMb: found.memoryMb?.value,
    acceptEula: found.acceptEula?.value,
    ...asked,
    software,
    version,
    launch,
    javaVersion,
  };
  requireAllowed(wanted);
  return wanted;
}

const rules = createInstance.partial();

/** The files may be a stranger's, so what they say must follow the rules of requests. */
function requireAllowed(wanted: object): void {
  const [issue] = rules.safeParse(wanted).error?.issues ?? [];
  if (!issue) return;
  const field = String(issue.path[0]);
  throw new GamekeeperError(
    'invalid_request',
    `${field}: the value in the server's files is not allowed. ${issue.message}.`,
    {
      resolution: `Set "${field}" in the request.`,
    },
  );
}

/** Returns the record that makes a start run the imported program, instead of installing another one. */
export function toRecord(
  { recognition, java }: Recognised,
  { software, version }: { software: string; version: string },
): Installed | undefined {
  const { program, build } = recognition;
  const isRun = ['java', 'installed'].includes(softwareOf(software)?.launch.type ?? '');
  if (!isRun || !program || recognition.software?.value !== software) return undefined;
  return {
    kind: software,
    version,
    build: build?.value ?? '',
    own: program.value,
    ...(java !== undefined && { java }),
  };
}

function neededJava(software: string | undefined, version: string | undefined, said: number | undefined) {
  const definition = software === undefined ? undefined : softwareOf(software);
  const needsJava = definition?.java !== undefined || software === 'custom';
  if (!needsJava || (version === undefined && said === undefined)) return undefined;
  return olderRule(software!, version) ?? said ?? javaOfMinecraft(version!);
}

/** Old versions of Forge run on one version of Java only. */
function olderRule(software: string, version: string | undefined): number | undefined {
  const older = softwareOf(software)?.java?.older;
  return version === undefined ? undefined : older?.find(({ below }) => isBelow(version, below))?.major;
}

function missing({ findings, nested }: RecogniseResult, asked: Asked): Recognition['missing'] {
  const software = asked.software ?? findings.software?.value;
  if (software === undefined) {
    const elsewhere = nested.length === 0 ? '' : ` There seems to be one in ${nested.slice(0, 3).join(', ')}.`;
    return [{ field: 'software', reason: `no server program was found in the folder.${elsewhere}` }];
  }
  const isFound = software === findings.software?.value && findings.version !== undefined;
  const kind = softwareOf(software);
  const wanted = kind && versionSourceOf(kind) !== undefined && asked.version === undefined && !isFound;
  return wanted
    ? [
        {
          field: 'version',
          reason: `the folder does not tell which version of ${kind.title} it holds.`,
        },
      ]
    : [];
}

function asLaunch(command: string[] | undefined) {
  return command && { command };
}
