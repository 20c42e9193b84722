import { isIPv4 } from 'node:net';
import { Client } from '@rejetto/nat-upnp';
import { type Mapping, MappingRefused, type MappingWish, type PortMapper } from './port-mapper.ts';

const DESCRIPTION = 'Gamekeeper';
const LIFETIME_SECONDS = 3_600;
/** For finding the router, and for each of its answers. Milliseconds. */
const FIND_WITHIN_MS = 3_000;
const ANSWER_WITHIN_MS = 10_000;

/** UPnP Forum, "WANIPConnection:2", section 2.5.16. */
const ONLY_PERMANENT = 725;
const CONFLICT = 718;
const REASONS: Readonly<Record<number, string>> = {
  606: 'does not let this computer forward ports; allow it in its settings',
  [CONFLICT]: 'forwards this port to another computer already; choose another one or remove that in its settings',
};

/** The Internet Gateway Device protocol of UPnP. */
export function createUpnpMapper(): PortMapper {
  const client = new Client({ timeout: FIND_WITHIN_MS });

  async function add({ transport, port, publicPort }: MappingWish, ttl: number): Promise<void> {
    const wish = { public: publicPort, private: port, protocol: transport, description: DESCRIPTION, ttl };
    await answered(client.createMapping(wish));
  }

  return {
    name: 'UPnP',
    async map(wish): Promise<Mapping> {
      try {
        await add(wish, LIFETIME_SECONDS);
      } catch (error) {
        if (codeOf(error) !== ONLY_PERMANENT) throw refusalOf(error);
        await add(wish, 0).catch((again: unknown) => Promise.reject(refusalOf(again)));
      }
      const publicAddress = await answered(client.getPublicIp());
      if (!isIPv4(publicAddress)) throw new MappingRefused('has no connection to the internet at the moment');
      return { publicAddress, publicPort: wish.publicPort, lifetimeMs: LIFETIME_SECONDS * 1_000 };
    },
    async unmap({ transport }, publicPort) {
      await answered(client.removeMapping({ public: publicPort, protocol: transport }));
    },
    close: () => client.close(),
  };
}

/** The package waits for ever, and lets go of the answer too late for a request to be cancelled. */
async function answered<T>(request: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The router does not answer.')), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([request, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The package throws what the router sent: `{ errorCode, errorDescription }`. */
function codeOf(error: unknown): number | undefined {
  const code = Number((error as { errorCode?: unknown }).errorCode);
  return Number.isInteger(code) ? code : undefined;
}

function refusalOf(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  return new MappingRefused(REASONS[code] ?? `refuses to forward the port (UPnP code ${code})`);
}
