import { EXIT } from '../../../shared/node/processes/exit-codes.ts';
import { StartupError } from '../../../shared/node/processes/startup-error.ts';

const VARIABLE = 'GAMEKEEPER_PROXY_DAEMON_DOMAIN';
/** Labels of at most 63 characters, as in DNS (RFC 1123, section 2.1). A daemon's own label comes before it. */
const DOMAIN = /^(?=.{1,180}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Reads the domain for panels, in lower case. Absent: there are none. Throws StartupError (exit status 2) if it cannot be used. */
export function readDaemonDomain(env: NodeJS.ProcessEnv): string | undefined {
  if (!env[VARIABLE]) return undefined;
  const domain = env[VARIABLE].toLowerCase();
  if (!DOMAIN.test(domain) || /^[\d.]+$/.test(domain))
    throw wrong('must be only a domain, such as panel.example.net, without *, scheme or port');
  const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
  if (!isLocal && !env.GAMEKEEPER_PROXY_URL?.toLowerCase().startsWith('https:'))
    throw wrong('needs GAMEKEEPER_PROXY_URL with https (without it, only domains such as panel.localhost work)');
  return domain;
}

function wrong(problem: string): StartupError {
  return new StartupError(`${VARIABLE} ${problem}.`, { exitCode: EXIT.usage });
}
