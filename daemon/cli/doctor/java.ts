import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Check, type Finding, ok, problem } from './finding.ts';

/** Usually a tenth of a second. On a machine that is swapping it may take this long. */
const PROBE_TIMEOUT_MS = 20_000;

/** Starts every installed Java, one after the other because each uses a core for a moment. */
export const checkJava: Check = async ({ home }) => {
  const names = await readdir(home.runtimes).catch(() => []); // none is installed
  const findings: Finding[] = [];
  for (const name of names.sort()) {
    const major = /^java-(\d+)(?:-[\w.+-]+)?$/.exec(name)?.[1];
    if (major === undefined) continue; // a record or a folder that is being unpacked
    const folder = path.join(home.runtimes, name);
    const said = await versionOf(folder);
    const version = /version "((?:1\.)?(\d+)[^"]*)"/.exec(said);
    findings.push(
      version?.[2] === major
        ? ok('Java', `${name}: ${version[1]}`)
        : problem(
            'Java',
            `${name} does not start as Java ${major}: ${said.trim().split('\n', 1)[0]}`,
            `Remove the folder ${folder}. The next server that needs it installs it again.`,
          ),
    );
  }
  return findings;
};

/** Resolves to the output of `java -version`, or to why there is none. */
function versionOf(folder: string): Promise<string> {
  // Archives for macOS contain a bundle.
  const bundle = path.join(folder, 'Contents', 'Home');
  const program = path.join(
    existsSync(bundle) ? bundle : folder,
    'bin',
    process.platform === 'win32' ? 'java.exe' : 'java',
  );
  return new Promise((resolve) => {
    execFile(program, ['-version'], { timeout: PROBE_TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve(stderr + stdout || error?.message || 'no output'),
    );
  });
}
