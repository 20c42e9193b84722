import type { Steps } from '../queue/steps.ts';
import { importedStart, type Start, startOf } from './find-start.ts';
import { installRelease } from './install-release.ts';
import { createMojangContext, type Installation, type SoftwareOptions } from './installation.ts';
import { neededJava } from './needed-java.ts';
import { installBySteps } from './steps/install-by-steps.ts';

/** Installs the software of an instance if it is missing. If nothing is missing, no vendor is asked. */
export async function* installSoftware(installation: Installation, options: SoftwareOptions): Steps<Start> {
  const { config, definition } = installation;
  const { software, version, directory } = config;
  const { install } = definition;
  if (!install) {
    const java = yield* provideJava(config, installation, options);
    return { ...java, ...(await startOf(definition, directory, { version, build: '' })) };
  }
  const record = await options.records.read(config.id);
  const isCurrent = record?.kind === software && record.version === version;
  if (isCurrent && record.own !== undefined) {
    const imported = await importedStart(definition, directory, { name: record.own, version });
    if (imported) return { ...(yield* provideJava(record, installation, options)), ...imported };
  }
  if ('steps' in install) {
    const java = yield* provideJava(config, installation, options);
    return { ...java, ...(yield* installBySteps(installation, { steps: install.steps, record }, options)) };
  }
  return yield* installRelease(installation, { install, record, isCurrent }, options);
}

async function* provideJava(
  known: { version: string; java?: number | undefined },
  installation: Installation,
  options: SoftwareOptions,
): Steps<Pick<Start, 'java'>> {
  const { java: rule } = installation.definition;
  const needed = rule && (known.java ?? (await neededJava(rule, known, createMojangContext(installation, options))));
  const java = yield* installation.provideJava(needed);
  return java === undefined ? {} : { java };
}
