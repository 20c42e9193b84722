import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Test } from 'tap';
import { freePort } from '../machine/free-port.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';
import type { Gamekeeper } from '../processes/gamekeeper.ts';

export interface SftpRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface SftpUser {
  username: string;
  password?: string;
  /** Of the second factor. */
  code?: string;
  /** Path of a private key. */
  identity?: string;
}

/** OpenSSH's `sftp`, with Gamekeeper's server. */
export interface OpenSsh {
  readonly port: number;
  /** Runs commands as in `sftp -b`: the first that fails ends it, unless it begins with "-". */
  run(user: SftpUser, commands: readonly string[], options?: readonly string[]): Promise<SftpRun>;
}

/** Turns SFTP on, on a free port. */
export async function openSsh(t: Test, gamekeeper: Gamekeeper): Promise<OpenSsh> {
  const port = await freePort();
  const cookie = await gamekeeper.login();
  const headers = { cookie, origin: new URL(gamekeeper.addresses().panel).origin };
  const { status, body } = await gamekeeper.api('PUT', '/api/settings', { sftp: { enabled: true, port } }, headers);
  if (status !== 200) throw new Error(`SFTP cannot be turned on: ${JSON.stringify(body)}`);
  const folder = temporaryFolder(t);
  const askpass = path.join(folder, 'askpass');
  writeFileSync(askpass, '#!/bin/sh\ncase "$1" in *[Cc]ode*) echo "$TEST_CODE";; *) echo "$TEST_PASSWORD";; esac\n', {
    mode: 0o755,
  });
  return {
    port,
    run: ({ username, password, code, identity }, commands, options = []) =>
      new Promise((resolve) => {
        const args = [
          ...[
            '-oBatchMode=no',
            '-oStrictHostKeyChecking=no',
            `-oUserKnownHostsFile=${folder}/known`,
            '-oLogLevel=ERROR',
          ],
          ...['-F', '/dev/null', '-oNumberOfPasswordPrompts=1', '-oConnectTimeout=20'],
          ...(identity
            ? ['-i', identity, '-oIdentitiesOnly=yes', '-oPreferredAuthentications=publickey']
            : ['-oPubkeyAuthentication=no']),
          ...[...options, '-b', '-', '-P', String(port), `${username}@127.0.0.1`],
        ];
        const env = {
          ...process.env,
          ...{ SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
          ...{ TEST_PASSWORD: password ?? '', TEST_CODE: code ?? '' },
        };
        const child = execFile('sftp', args, { env, timeout: 120_000 }, (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr }),
        );
        child.stdin?.end(`${commands.join('\n')}\n`);
      }),
  };
}
