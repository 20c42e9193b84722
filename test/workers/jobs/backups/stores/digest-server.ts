import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const REALM = 'NAS';
const NONCE = 'a0b1c2d3';

/** A WebDAV server in memory that only accepts Digest (RFC 7616), as some NAS do, and implements only what a store uses. */
export async function startDigestServer(t: Test, { username, password }: { username: string; password: string }) {
  const files = new Map<string, Buffer>();
  const folders = new Set(['/']);
  /** Passwords that were sent in plain text. */
  const basic: string[] = [];

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = request;
    const authorization = headers.authorization ?? '';
    if (authorization.startsWith('Basic')) basic.push(authorization);
    if (!isRight(authorization, method)) {
      response.writeHead(401, {
        'www-authenticate': `Digest realm="${REALM}", nonce="${NONCE}", qop="auth", algorithm=MD5`,
      });
      return void response.end();
    }
    const end = (status: number, body?: string | Buffer) => void response.writeHead(status).end(body);
    const path = url.length > 1 ? url.replace(/\/$/, '') : url;
    switch (method) {
      case 'PROPFIND':
        if (!folders.has(path) && !files.has(path)) return end(404);
        return end(207, propertiesOf(path, files.get(path)));
      case 'MKCOL':
        folders.add(path);
        return end(201);
      case 'PUT':
        files.set(path, await buffer(request));
        return end(201);
      case 'GET':
        return end(200, files.get(path));
      case 'MOVE':
        files.set(new URL(String(headers.destination)).pathname, files.get(path)!);
        files.delete(path);
        return end(201);
      case 'DELETE':
        return end(files.delete(path) ? 204 : 404);
      default:
        return end(405);
    }
  }

  function isRight(authorization: string, method: string): boolean {
    const fields = Object.fromEntries(
      [...authorization.matchAll(/(\w+)="?([^",]*)"?/g)].map(([, key = '', value = '']) => [key, value]),
    );
    const [one, two] = [md5(`${username}:${REALM}:${password}`), md5(`${method}:${fields.uri}`)];
    const expected = md5([one, NONCE, fields.nc, fields.cnonce, 'auth', two].join(':'));
    return authorization.startsWith('Digest') && fields.response === expected;
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files, basic };
}

function propertiesOf(path: string, content: Buffer | undefined): string {
  const kind = content ? '<d:resourcetype/>' : '<d:resourcetype><d:collection/></d:resourcetype>';
  const size = content ? `<d:getcontentlength>${content.length}</d:getcontentlength>` : '';
  const properties = `<d:propstat><d:prop>${size}${kind}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>`;
  return `<d:multistatus xmlns:d="DAV:"><d:response><d:href>${path}</d:href>${properties}</d:response></d:multistatus>`;
}
