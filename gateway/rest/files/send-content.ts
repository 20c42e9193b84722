import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { splitFilePath } from '../../../shared/domain/files/file-path.ts';
import { ifMatchHolds } from '../../../shared/domain/http/entity-tag.ts';
import { isGamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import { chosenPart } from '../../http/byte-range.ts';
import { attachment } from '../../http/content-disposition.ts';
import type { FileAddress, FilesService } from '../../services/files.ts';

const BYTES = 'application/octet-stream';
/** A file that a game writes all the time may change between two looks at it. */
const ATTEMPTS = 5;

/** What an operation says that answers by `sendContent`. */
export const SENT_CONTENT = {
  requestHeaders: {
    Range: { description: 'A single range of bytes', example: 'bytes=0-1023' },
    'If-Range': { description: 'ETag of the file that the range is for', example: '"a591a6d4"' },
    'If-None-Match': { description: 'ETag of the version that you have', example: '"a591a6d4"' },
  },
  answers: {
    200: { description: 'The file.', contentType: BYTES, headers: { ETag: 'Version of the file, for `If-Match`' } },
    206: {
      description: 'The requested range.',
      contentType: BYTES,
      headers: { 'Content-Range': 'The range that is sent' },
    },
    304: { description: 'Not changed since the version in `If-None-Match`.' },
  },
};

/** Sends a file, or the part of it that is asked for. */
export async function sendContent(
  files: FilesService,
  file: FileAddress,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  for (let attempt = 1; ; attempt++) {
    reply.code(200).removeHeader('content-range'); // of the attempt before
    const { sizeBytes, modifiedAt, etag } = await files.look(file);
    const known = request.headers['if-none-match'];
    if (known !== undefined && ifMatchHolds(known, etag)) return reply.code(304).header('etag', etag).send();
    const part = chosenPart(request, reply, { size: sizeBytes, etag });
    try {
      const isHead = request.method === 'HEAD';
      const bytes = isHead ? Readable.from([]) : await files.read({ ...file, etag, part }, request.identity!);
      return (
        reply
          .header('content-length', part.end - part.start + 1)
          .header('last-modified', new Date(modifiedAt).toUTCString())
          // Never shown as a page of this origin, whatever is in it.
          .header('content-disposition', attachment(splitFilePath(file.path).name))
          .type(BYTES)
          .send(bytes)
      );
    } catch (error) {
      if (attempt === ATTEMPTS || !isGamekeeperError(error, 'precondition_failed')) throw error;
    }
  }
}
