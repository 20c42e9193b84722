import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { needsFiles } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { ofInstance } from '../parameters.ts';
import { atPath, CHANGE_ERRORS } from './file-parameters.ts';
import { createTusServer, type TusServer } from './tus-server.ts';

const tag = 'Files';
const ofUpload = ofInstance.extend({ uploadId: z.string().max(100).describe('Id of the upload') });
const VERSION = { 'Tus-Resumable': { description: 'Version of the protocol', example: '1.0.0' } };
const access = needsFiles('write');
const common = {
  tag,
  access,
  errors: [...CHANGE_ERRORS, 'precondition_failed', 'unsupported_media_type', 'body_too_large'],
} as const;

/** Uploads in pieces, by the tus protocol 1.0 (tus.io/protocols/resumable-upload). */
export function uploadRoutes(app: Api, { files }: Services): void {
  let tus: Promise<TusServer> | undefined;
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    tus ??= createTusServer(files);
    const response = await (await tus)(request, reply);
    return reply.code(response.status).headers(Object.fromEntries(response.headers)).send();
  };

  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const routes = uploads as Api;

    routes.post(
      '/instances/:id/files/uploads',
      {
        schema: { params: ofInstance, querystring: atPath },
        config: {
          operation: {
            ...common,
            id: 'createUpload',
            work: 'fileTransfer',
            summary: 'Begin an upload in pieces (tus)',
            description:
              'For large files and bad lines: what has arrived stays for 24 hours, also if Gamekeeper restarts. `Location` has the address for the pieces. The file is in its place with the last byte.',
            requestHeaders: {
              ...VERSION,
              'Upload-Length': { description: 'Size of the file in bytes', example: '1041' },
              'If-Match': { description: 'ETag of the version to replace', example: '"a591a6d4"' },
              'If-None-Match': { description: '`*`: only if nothing is there yet', example: '*' },
            },
            answers: { 201: { description: 'Begun.', headers: { Location: 'Address of the upload' } } },
          },
        },
      },
      serve,
    );

    routes.route({
      method: 'HEAD',
      url: '/instances/:id/files/uploads/:uploadId',
      schema: { params: ofUpload },
      config: {
        operation: {
          ...common,
          id: 'getUpload',
          work: 'files',
          summary: 'See how much of an upload has arrived (tus)',
          requestHeaders: VERSION,
          answers: { 200: { description: 'Known.', headers: { 'Upload-Offset': 'How many bytes have arrived' } } },
        },
      },
      handler: serve,
    });

    routes.patch(
      '/instances/:id/files/uploads/:uploadId',
      {
        schema: { params: ofUpload },
        config: {
          operation: {
            ...common,
            id: 'continueUpload',
            work: 'fileTransfer',
            upload: true,
            summary: 'Send a piece of an upload (tus)',
            description: 'The body is the piece, with content-type `application/offset+octet-stream`.',
            requestHeaders: {
              ...VERSION,
              'Upload-Offset': { description: 'How many bytes have arrived before', example: '0' },
            },
            answers: { 204: { description: 'Arrived.', headers: { 'Upload-Offset': 'How many bytes have arrived' } } },
          },
        },
      },
      serve,
    );

    routes.delete(
      '/instances/:id/files/uploads/:uploadId',
      {
        schema: { params: ofUpload },
        config: {
          operation: {
            ...common,
            id: 'cancelUpload',
            work: 'files',
            summary: 'Cancel an upload (tus)',
            requestHeaders: VERSION,
            answers: { 204: { description: 'What had arrived is removed.' } },
          },
        },
      },
      serve,
    );
  });
}
