import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import { UPLOAD_ID } from '../../../shared/domain/files/upload-id.ts';
import type { ErrorCode } from '../../../shared/errors/catalogue.ts';
import { GamekeeperError } from '../../../shared/errors/gamekeeper-error.ts';
import type { Access, Operation, Tag } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import type { Services } from '../../services/services.ts';
import { createTusServer, type TusServer, type UploadTarget } from './tus-server.ts';

const VERSION = { 'Tus-Resumable': { description: 'Version of the protocol', example: '1.0.0' } };
const ARRIVED = { 'Upload-Offset': 'How many bytes have arrived' };

/** Uploads in pieces at one address. */
export interface TusResource {
  url: string;
  params: z.ZodType;
  /** The same, with `uploadId`. */
  uploadParams: z.ZodType;
  /** For a new upload. */
  query: z.ZodType;
  /** Throws if the caller may not upload here. */
  targetOf(request: FastifyRequest): Pick<UploadTarget, 'owner' | 'path'>;
  /** What the ids of the operations end with. */
  name: string;
  /** For the summaries, with its article. */
  what: string;
  /** Of the beginning. */
  description: string;
  /** Headers with conditions that a new upload may have. */
  conditions?: Operation['requestHeaders'];
  tag: Tag;
  access: Access;
  errors: readonly ErrorCode[];
}

/** Declares the routes of the tus protocol 1.0 (tus.io/protocols/resumable-upload). */
export function tusRoutes(app: Api, { files }: Pick<Services, 'files'>, resource: TusResource): void {
  const { url, params, uploadParams, query } = resource;
  const operations = operationsOf(resource);
  let tus: Promise<TusServer> | undefined;
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const { uploadId } = request.params as { uploadId?: string };
    if (uploadId !== undefined && !UPLOAD_ID.test(uploadId))
      throw new GamekeeperError('file_not_found', 'There is no such upload.');
    const target = { ...resource.targetOf(request), uploadId };
    tus ??= createTusServer(files);
    const response = await (await tus)(request, reply, target);
    return reply.code(response.status).headers(Object.fromEntries(response.headers)).send();
  };

  app.register(async (uploads) => {
    uploads.removeAllContentTypeParsers();
    uploads.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const routes = uploads as Api;
    const one = `${url}/:uploadId`;
    const schema = { params: uploadParams };
    routes.post(url, { schema: { params, querystring: query }, config: { operation: operations.begin } }, serve);
    routes.route({ method: 'HEAD', url: one, schema, config: { operation: operations.look }, handler: serve });
    routes.patch(one, { schema, config: { operation: operations.send } }, serve);
    routes.delete(one, { schema, config: { operation: operations.cancel } }, serve);
  });
}

function operationsOf({ name, what, tag, access, errors, description, conditions }: TusResource) {
  const common = {
    tag,
    access,
    errors: [...errors, 'precondition_failed', 'unsupported_media_type', 'body_too_large'],
    requestHeaders: VERSION,
  } satisfies Partial<Operation>;
  return {
    begin: {
      ...common,
      id: `create${name}`,
      work: 'fileTransfer',
      summary: `Begin ${what} in pieces (tus)`,
      description,
      requestHeaders: {
        ...VERSION,
        'Upload-Length': { description: 'Size of the file in bytes', example: '1041' },
        ...conditions,
      },
      answers: { 201: { description: 'Begun.', headers: { Location: 'Address of the upload' } } },
    },
    look: {
      ...common,
      id: `get${name}`,
      work: 'files',
      summary: `See how much of ${what} has arrived (tus)`,
      answers: { 200: { description: 'Known.', headers: ARRIVED } },
    },
    send: {
      ...common,
      id: `continue${name}`,
      work: 'fileTransfer',
      upload: true,
      summary: `Send a piece of ${what} (tus)`,
      description: 'The body is the piece, with content-type `application/offset+octet-stream`.',
      requestHeaders: {
        ...VERSION,
        'Upload-Offset': { description: 'How many bytes have arrived before', example: '0' },
      },
      answers: { 204: { description: 'Arrived.', headers: ARRIVED } },
    },
    cancel: {
      ...common,
      id: `cancel${name}`,
      work: 'files',
      summary: `Cancel ${what} (tus)`,
      answers: { 204: { description: 'What had arrived is removed.' } },
    },
  } satisfies Record<string, Operation>;
}
