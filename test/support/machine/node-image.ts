import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Programs that the steps of a container file use, besides node and npm. */
const PROGRAMS = ['/bin/sh', '/bin/mkdir', '/usr/bin/env'];
/** Of Rolldown's native part. */
const MORE_LIBRARIES = ['/lib/x86_64-linux-gnu/librt.so.1'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/**
 * Writes the files of an image with Node.js, npm and a shell into a folder, from those of this machine: tests have no registry of images.
 * Their libraries are those that the dynamic linker names.
 */
export function writeNodeFiles(folder: string): void {
  const into = (file: string) => {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    return target;
  };
  const programs = PROGRAMS.map((file) => ({ file, from: realpathSync(file) }));
  for (const { file, from } of [...programs, { file: '/usr/local/bin/node', from: process.execPath }]) {
    copyFileSync(from, into(file));
    for (const library of librariesOf(from)) copyFileSync(realpathSync(library), into(library));
  }
  for (const library of MORE_LIBRARIES) copyFileSync(realpathSync(library), into(library));
  const npm = path.join(path.dirname(realpathSync('/usr/bin/npm')), '..');
  cpSync(npm, into('/usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', into('/usr/local/bin/npm'));
  copyFileSync(CERTIFICATES, into(CERTIFICATES));
  mkdirSync(into('/tmp'), { mode: 0o1777 });
}

function librariesOf(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...listed.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, library = '']) => library);
}
