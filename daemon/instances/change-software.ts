import { allSoftware, softwareOf } from '../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../shared/domain/software/definition.ts';
import { softwareFamily } from '../../shared/domain/software/software-family.ts';
import { valueProblem } from '../../shared/domain/software/variable.ts';
import { NEWEST } from '../../shared/domain/software/version-source.ts';
import { GamekeeperError } from '../../shared/errors/gamekeeper-error.ts';
import type { InstanceConfig, UpdateInstance } from '../../shared/schema/instance.ts';
import type { SoftwareVersions } from '../../shared/schema/software-versions.ts';

/** Returns a change of the software with the version that it means: the present one if the new kind has it. */
export async function settleVersion(
  { software, version }: InstanceConfig,
  change: UpdateInstance,
  versionsOf: (kind: string) => Promise<SoftwareVersions>,
): Promise<UpdateInstance> {
  const kind = change.software;
  if (kind === undefined || kind === software || change.version !== undefined) return change;
  const definition = targetKind(software, kind);
  if (!definition.install) return { ...change, version: definition.defaultVersion ?? NEWEST };
  if (version === NEWEST) return change;
  const { versions } = await versionsOf(kind);
  if (versions.some((one) => one.version === version)) return change;
  const newest = versions.find(({ stable }) => stable)?.version;
  throw new GamekeeperError('version_not_found', `version: there is no ${definition.title} ${version}.`, {
    resolution: `Set "version" as well${newest === undefined ? '' : `, such as ${newest}`}. An older version than the world's can damage it. GET /software/${kind}/versions lists all.`,
  });
}

/** Returns the configuration with another kind. What only the former kind has is dropped. Throws `invalid_request` with the reason. */
export function withSoftware(config: InstanceConfig, kind: string): InstanceConfig {
  const { variables = [], ports = [] } = targetKind(config.software, kind);
  const { variables: before = {}, ports: numbers = {}, ...rest } = config;
  const kept = Object.entries(before).filter(([name, value]) => {
    const variable = variables.find((one) => one.name === name);
    return variable && valueProblem(variable, value) === undefined;
  });
  const named = Object.entries(numbers).filter(([name]) => ports.some((one) => one.name === name));
  return {
    ...rest,
    software: kind,
    ...(kept.length > 0 && { variables: Object.fromEntries(kept) }),
    ...(named.length > 0 && { ports: Object.fromEntries(named) }),
  };
}

/** Returns the definition of the new kind. Throws `invalid_request` for a kind that servers of the present one cannot become. */
function targetKind(present: string, kind: string): SoftwareDefinition {
  const from = softwareOf(present);
  const to = softwareOf(kind);
  if (!to) throw invalid(`there is no kind "${kind}".`, `The kinds are ${kindNames(() => true)}.`);
  if (!from) throw invalid(`the kind "${present}" of this server does not exist any more.`, 'Put its file back first.');
  const family = softwareFamily(from);
  if (family !== undefined && family === softwareFamily(to)) return to;
  throw invalid(
    `a "${present}" server cannot become a "${kind}" server, ${reason(from, to)}`,
    family === undefined
      ? `Create a new server of the kind "${kind}".`
      : `It can become ${kindNames((one) => one.kind !== present && softwareFamily(one) === family)}. For "${kind}", create a new server.`,
  );
}

function reason(from: SoftwareDefinition, to: SoftwareDefinition): string {
  if (softwareFamily(from) === 'program' || softwareFamily(to) === 'program')
    return 'because one of them runs a program of your own, and Gamekeeper does not know its world.';
  return from.listPing && to.listPing && from.edition !== to.edition
    ? 'because worlds of Java Edition and Bedrock Edition have different formats.'
    : 'because it is another game, which cannot read this world.';
}

function kindNames(matches: (kind: SoftwareDefinition) => boolean): string {
  const kinds = allSoftware().filter(matches);
  return kinds.length === 0 ? 'no other kind' : kinds.map(({ kind }) => kind).join(', ');
}

function invalid(detail: string, resolution: string): GamekeeperError {
  return new GamekeeperError('invalid_request', `software: ${detail}`, { resolution });
}
