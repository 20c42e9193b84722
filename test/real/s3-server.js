/**
 * Starts s3rver, a third-party S3 server, with one bucket on 127.0.0.1:
 *
 *     node s3-server.js --port 4568 --directory /tmp/s3 --bucket backups
 *
 * Its access key and secret are both `S3RVER`, and it checks signatures. It keeps the parts of unfinished uploads over a restart, but lacks
 * the requests that list and abort them; those are added here and use the server's files.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import S3rver from '@20minutes/s3rver';

const { values } = parseArgs({
  options: { port: { type: 'string' }, directory: { type: 'string' }, bucket: { type: 'string' } },
});

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(values.port),
  directory: values.directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: values.bucket }],
});
server.middleware.unshift(async (context, next) => {
  const { uploadId } = context.query;
  if (context.method === 'GET' && 'uploads' in context.query) context.body = await listUploads();
  else if (context.method === 'GET' && uploadId) context.body = await listParts(context.query);
  else if (context.method === 'DELETE' && uploadId) {
    await rm(path.join(uploadsFolder(), uploadId), { recursive: true, force: true });
    context.status = 204;
  } else return next();
  context.type = 'application/xml';
});
await server.run();

function uploadsFolder() {
  return server.store.getResourcePath(values.bucket, undefined, 'uploads');
}

async function listUploads() {
  const ids = await readdir(uploadsFolder()).catch(() => []); // none yet
  const uploads = await Promise.all(
    ids.map(async (id) => {
      const file = path.join(uploadsFolder(), id, 'key');
      const initiated = (await stat(file)).mtime.toISOString();
      return `<Upload><Key>${await readFile(file, 'utf8')}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
    }),
  );
  return `<ListMultipartUploadsResult><Bucket>${values.bucket}</Bucket><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`;
}

/** Only complete parts have a checksum file. Returns pages of two parts, so that the client has to read several. */
async function listParts({ uploadId, 'part-number-marker': after = '0' }) {
  const folder = path.join(uploadsFolder(), uploadId);
  const names = await readdir(folder);
  const rest = names
    .filter((name) => names.includes(`${name}.md5`))
    .map(Number)
    .sort((one, other) => one - other)
    .filter((number) => number > Number(after));
  const parts = await Promise.all(
    rest.slice(0, 2).map(async (number) => {
      const md5 = await readFile(path.join(folder, `${number}.md5`), 'utf8');
      return `<Part><PartNumber>${number}</PartNumber><ETag>&quot;${md5}&quot;</ETag></Part>`;
    }),
  );
  const next = `<NextPartNumberMarker>${rest[1] ?? 0}</NextPartNumberMarker>`;
  return `<ListPartsResult><IsTruncated>${rest.length > 2}</IsTruncated>${next}${parts.join('')}</ListPartsResult>`;
}
