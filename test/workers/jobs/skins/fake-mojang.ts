import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/**
 * Mojang's servers for profiles and textures on one local port (minecraft.wiki, "Mojang API", "Query player's skin and cape"): a profile has its
 * textures as JSON in Base64, whose address is always that of textures.minecraft.net, and an unknown UUID gets 204.
 */
export interface FakeMojang {
  readonly base: string;
  /** For `vendors` in the settings. */
  readonly vendors: { mojangSessions: string; mojangTextures: string };
  /** The path of every request. */
  readonly requests: string[];
  /** Answers instead of the stand-in if it returns true. */
  fault: (path: string, response: ServerResponse) => boolean;
  /** Gives a player a skin. Returns the texture's hash. `url`: instead of the address of Mojang's textures. */
  wear(uuid: string, png: Buffer, url?: string): string;
  /** Puts anything in the place of a profile. */
  profile(uuid: string, answer: string): void;
}

export async function startFakeMojang(t: Test): Promise<FakeMojang> {
  const answers = new Map<string, Buffer | string>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    mojang.requests.push(path);
    if (mojang.fault(path, response)) return;
    const answer = answers.get(path);
    response.writeHead(answer === undefined ? (path.startsWith('/texture/') ? 404 : 204) : 200).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mojang: FakeMojang = {
    base,
    vendors: { mojangSessions: base, mojangTextures: base },
    requests: [],
    fault: () => false,
    wear(uuid, png, url) {
      const texture = createHash('sha256').update(png).digest('hex');
      answers.set(`/texture/${texture}`, png);
      const worn = { SKIN: { url: url ?? `http://textures.minecraft.net/texture/${texture}` } };
      const value = Buffer.from(JSON.stringify({ profileId: plain(uuid), textures: worn })).toString('base64');
      mojang.profile(
        uuid,
        JSON.stringify({ id: plain(uuid), name: 'Steve', properties: [{ name: 'textures', value }] }),
      );
      return texture;
    },
    profile: (uuid, answer) => void answers.set(profilePath(uuid), answer),
  };
  return mojang;
}

export function profilePath(uuid: string): string {
  return `/session/minecraft/profile/${plain(uuid)}`;
}

function plain(uuid: string): string {
  return uuid.replaceAll('-', '');
}
