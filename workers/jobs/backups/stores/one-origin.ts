import http from 'node:http';
import https from 'node:https';
import type { GamekeeperError } from '../../../../shared/errors/gamekeeper-error.ts';
import { refused } from './store-error.ts';

/** As Node's own agents: idle connections are kept for a short time. Milliseconds. */
const REUSE = { keepAlive: true, timeout: 5_000 };

/**
 * Returns agents that connect only to the origin of `url`. A library that follows redirects would otherwise send credentials to another port
 * or a subdomain, and requests to addresses that only this machine can reach (CVE-2024-34068). Any other connection is `store_refused`.
 */
export function agentsOfOrigin(store: string, url: string): { httpAgent: http.Agent; httpsAgent: https.Agent } {
  const { protocol, hostname, port } = new URL(url);
  const isOrigin = (scheme: string, usualPort: number, to: Target) =>
    protocol === scheme && plain(to.host) === plain(hostname) && Number(to.port) === Number(port || usualPort);

  class HttpAgent extends http.Agent {
    override createConnection(...args: Parameters<http.Agent['createConnection']>) {
      if (!isOrigin('http:', 80, args[0])) throw leadsElsewhere(store);
      return super.createConnection(...args);
    }
  }
  class HttpsAgent extends https.Agent {
    override createConnection(...args: Parameters<https.Agent['createConnection']>) {
      if (!isOrigin('https:', 443, args[0])) throw leadsElsewhere(store);
      return super.createConnection(...args);
    }
  }
  return { httpAgent: new HttpAgent(REUSE), httpsAgent: new HttpsAgent(REUSE) };
}

interface Target {
  host?: string | null | undefined;
  port?: number | string | null | undefined;
}

/** Returns a host in lower case, IPv6 without brackets. */
function plain(host: string | null | undefined): string {
  return (host ?? '').toLowerCase().replace(/^\[|\]$/g, '');
}

function leadsElsewhere(store: string): GamekeeperError {
  return refused(store, 'redirects to another address, which gets neither credentials nor archives.', {
    resolution: 'If the server has moved, set the url of the store to its new address.',
  });
}
