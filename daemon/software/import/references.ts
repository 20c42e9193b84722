import type { Findings } from './imported-kind.ts';

/** What Pterodactyl, Pelican and PufferPanel provide besides the variables of a game. */
const PROVIDED: Readonly<Record<string, string>> = {
  SERVER_PORT: '{port}',
  SERVER_IP: '0.0.0.0',
  SERVER_MEMORY: '{memoryMb}',
  P_SERVER_UUID: '{id}',
  P_SERVER_LOCATION: '',
  P_SERVER_ALLOCATION_LIMIT: '0',
  'server.build.default.port': '{port}',
  'server.build.default.ip': '0.0.0.0',
  'server.allocations.default.port': '{port}',
  'server.allocations.default.ip': '0.0.0.0',
  'server.build.memory': '{memoryMb}',
  'server.build.memory_limit': '{memoryMb}',
  'server.uuid': '{id}',
  'server.name': '{name}',
  'config.docker.interface': '127.0.0.1',
  'config.docker.network.interface': '127.0.0.1',
};

const PREFIXES = /^(?:server\.build\.env|server\.environment|server\.build\.environment|env)\./;

/** Returns the placeholder for a name of the original, or `undefined`. */
function placeholderFor(name: string, { references }: Findings): string | undefined {
  const own = name.trim().replace(PREFIXES, '');
  return references.get(own) ?? (Object.hasOwn(PROVIDED, own) ? PROVIDED[own] : undefined);
}

/** Where the containers of Pterodactyl and Pelican have the folder of a server. */
export const CONTAINER_FOLDER = /\/home\/container(?![\w.-])/g;

/**
 * Replaces `{{NAME}}` and `${NAME}`, and the folder of a container, by placeholders. Unknown names become empty and are noted.
 */
export function withPlaceholders(text: string, findings: Findings): string {
  return text
    .replace(CONTAINER_FOLDER, '{directory}')
    .replace(/\{\{\s*([\w.-]+)\s*\}\}|\$\{\s*([\w.-]+)\s*\}/g, (_, double?: string, single?: string) => {
      const name = double ?? single ?? '';
      const found = placeholderFor(name, findings);
      if (found === undefined) findings.note(`"${name}" has no value here and was left empty.`);
      return found ?? '';
    });
}
