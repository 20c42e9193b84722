import { deriveInstanceId } from '../../../shared/domain/instance/instance-id.ts';
import { SOFTWARE } from '../../../shared/domain/software/catalogue.ts';
import type { SoftwareFile } from '../../../shared/domain/software/extend-definition.ts';
import { plainStart, shellScript } from './command-line.ts';
import type { Findings } from './imported-kind.ts';

const NEWEST_JAVA = 21;

/** Returns a name that no kind of Gamekeeper has. */
export function kindName(title: string): string {
  return deriveInstanceId(title, (name) => SOFTWARE.some(({ kind }) => kind === name));
}

/** Converts a start command: to a program with arguments, or to a shell script that gets the values in its environment. */
export function launchOf(start: string, findings: Findings, images: string): Pick<SoftwareFile, 'launch' | 'java'> {
  const env = environment(findings);
  const plain = plainStart(start, findings);
  if (start.trim() === '') findings.note('It has no start command. Set "launch" in the file.');
  if (!plain) {
    findings.note(
      'Its start command needs a shell. Values reach the shell as environment variables, not as part of the command.',
    );
    const args = ['-c', shellScript(start.replaceAll('\r\n', '\n'), findings)];
    return {
      launch: { type: 'system', program: ['bash', 'sh'], args, env, missing: 'Install bash.' },
      ...javaOf(start, images),
    };
  }
  const { program, args } = plain;
  const inFolder = program.replace(/^(?:\.\/|\/home\/container\/|\/mnt\/server\/)+/, '');
  if (inFolder === program && !program.includes('/') && !program.includes('{'))
    return {
      launch: { type: 'system', program: [program], args, env, missing: `Install ${program}, or put it on the PATH.` },
      ...javaOf(program, images),
    };
  return { launch: { type: 'installed', program: { linux: inFolder.replace(/^\/+/, '') }, args, env } };
}

/** Everything that the original gives its program. */
function environment({ references }: Findings): Record<string, string> {
  const own = [...references].filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  return {
    HOME: '{directory}',
    ...Object.fromEntries(own),
    SERVER_PORT: '{port}',
    SERVER_IP: '0.0.0.0',
    SERVER_MEMORY: '{memoryMb}',
  };
}

function javaOf(start: string, images: string): Pick<SoftwareFile, 'java'> {
  if (!/(?:^|[\s;&|])java(?:\s|$)/.test(start)) return {};
  const versions = Array.from(images.matchAll(/java[_ :-]?(\d{1,2})/gi), ([, version]) => Number(version)).filter(
    (one) => one >= 8,
  );
  return { java: { needed: versions.length > 0 ? Math.max(...versions) : NEWEST_JAVA } };
}

/** An original has no number of its own for the port of players. */
export function portOf({
  isJava,
  findings,
}: {
  isJava: boolean;
  findings: Findings;
}): NonNullable<SoftwareFile['gamePort']> {
  const port = isJava ? ({ first: 25_565, transport: 'tcp' } as const) : ({ first: 27_015, transport: 'udp' } as const);
  findings.note(
    `The port for players is assumed: ${port.first} over ${port.transport.toUpperCase()}. Change "gamePort" if the game uses another.`,
  );
  return port;
}

const MOST_APP_ID = 0xffff_ffff;

/** Converts the installation of an app of Steam, as far as it is known what it installs. */
export function steamInstall(
  app: string,
  { launch }: Pick<SoftwareFile, 'launch'>,
  findings: Findings,
): Pick<SoftwareFile, 'install' | 'defaultVersion'> {
  const appId = Number(app);
  const isApp = /^\d{1,10}$/.test(app) && appId >= 1 && appId <= MOST_APP_ID;
  const program = launch?.type === 'installed' ? launch.program.linux : undefined;
  if (!isApp || program?.includes('{')) {
    findings.note(
      `It is Steam app ${app}. Install it into the folder of the server: steamcmd +force_install_dir <folder> +login anonymous +app_update ${app} validate +quit`,
    );
    return {};
  }
  findings.note(
    `Steam app ${app} is installed with SteamCMD at the first start. Whatever else its installation does is not done.`,
  );
  return { defaultVersion: 'public', install: { steps: [{ type: 'steam', appId, beta: '{version}' }] } };
}
