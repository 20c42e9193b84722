import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Check, type Finding, ok, problem } from './finding.ts';

/** A JVM starts in a tenth of a second; on a machine that is swapping it may take this long. */
const PROBE_TIMEOUT_MS = 20_000;

/** Starts every Java that Gamekeeper has installed; one after the other, since each takes a core for a moment. */
export const checkJava: Check = async ({ home }) => {
  const names = await readdir(home.runtimes).catch(() => []); // none was ever installed
  const findings: Finding[] = [];
  for (const name of names.sort()) {
    const major = /^java-(\d+)(?:-[\w.+-]+)?$/.exec(name)?.[1];
    if (major === undefined) continue; // a record, or what is being unpacked
    const folder = path.join(home.runtimes, name);
    const said = await versionOf(folder);
    const version = /version "((?:1\.)?(\d+)[^"]*)"/.exec(said);
    findings.push(
      version?.[2] === major
        ? ok('Java', `${name}: ${version[1]}`)
        : problem(
            'Java',
            `${name} does not start as Java ${major}: ${said.trim().split('\n', 1)[0]}`,
            `Remove the folder ${folder}; the next server that needs it installs it again.`,
          ),
    );
  }
  return findings;
};

/** What `java -version` prints, or why it does not. */
function versionOf(folder: string): Promise<string> {
  // Archives for macOS hold a bundle, with the runtime inside.
  const bundle = path.join(folder, 'Contents', 'Home');
  const program = path.join(
    existsSync(bundle) ? bundle : folder,
    'bin',
    process.platform === 'win32' ? 'java.exe' : 'java',
  );
  return new Promise((resolve) => {
    execFile(program, ['-version'], { timeout: PROBE_TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve(stderr + stdout || error?.message || 'it says nothing'),
    );
  });
}
