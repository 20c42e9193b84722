import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SoftwareDefinition } from '../../../shared/domain/software/definition.ts';
import type { Home } from '../../../shared/node/files/home.ts';
import type { Instance } from '../../../shared/schema/instance.ts';
import { createApi } from '../api/api-client.ts';
import { uninterrupted } from '../terminal/uninterrupted.ts';
import { type CheckResult, checkServer } from './check-server.ts';
import { copyFiles } from './copy-files.ts';
import { withTemporaryDaemon } from './temporary-daemon.ts';
import { createTestedServer, TESTED_ID } from './tested-server.ts';

export interface KindTestOptions {
  software: SoftwareDefinition;
  /** For a kind whose servers each have a command of their own; else empty. */
  launch: readonly string[];
  /** Folder with the server's files. */
  directory?: string;
  /** Values of variables. */
  set?: Record<string, string>;
  /** From its launch until players can join. Seconds. */
  within: number;
  acceptEula?: boolean;
}

export interface KindTestResult {
  ok: boolean;
  kind: string;
  checks: CheckResult[];
  /** The last lines of its console, if a check failed. */
  console?: string[];
}

/**
 * Runs a server of the kind in a Gamekeeper of its own, so that the test works without a running one, shows up nowhere, and changes no port,
 * list or history of the owner's. Throws a Failure if the server cannot be created or its files cannot be copied.
 */
export async function testKind(options: KindTestOptions, note: (text: string) => void): Promise<KindTestResult> {
  const stopped = new AbortController();
  return uninterrupted(
    () =>
      withTemporaryDaemon(
        (home) => prepare(home, options),
        (home) => run(home, options, stopped.signal),
      ),
    () => {
      note('Ending the test…');
      stopped.abort();
    },
  );
}

async function prepare(home: Home, { software, directory }: KindTestOptions): Promise<void> {
  await mkdir(home.software, { recursive: true, mode: 0o700 });
  // With all that it extends.
  await writeFile(path.join(home.software, `${software.kind}.json`), JSON.stringify(software), { mode: 0o600 });
  if (directory !== undefined) await copyFiles(directory, home.instanceDirectory(TESTED_ID));
}

async function run(home: Home, options: KindTestOptions, signal: AbortSignal): Promise<KindTestResult> {
  const { software, launch, set, acceptEula = false, within } = options;
  const api = createApi(home);
  await api.request<Instance>('POST', '/instances', {
    body: {
      id: TESTED_ID,
      name: 'Test',
      software: software.kind,
      acceptEula,
      crashPolicy: { restart: 'never' },
      ...(set && { variables: set }),
      ...(launch.length > 0 && { launch: { command: launch } }),
    },
  });
  const server = createTestedServer(api, signal);
  try {
    const checks = await checkServer(server, software, within * 1_000);
    const ok = checks.every(({ result }) => result !== 'failed');
    return { ok, kind: software.kind, checks, ...(!ok && { console: (await server.lines()).slice(-30) }) };
  } finally {
    await server.kill();
  }
}
