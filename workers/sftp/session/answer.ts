import { STATUS, TYPE } from '../protocol/constants.ts';
import { FieldReader } from '../protocol/fields.ts';
import { statusReply } from '../protocol/replies.ts';
import { extendedRequest } from './extended-requests.ts';
import { SftpFailure, statusOf } from './failure.ts';
import { handleRequests } from './handle-requests.ts';
import type { Handler, SessionParts } from './handler.ts';
import { pathRequests } from './path-requests.ts';

/** Answers one request of a client. Never rejects. */
export type Answer = (packet: Buffer) => Promise<Buffer>;

export function createAnswer(parts: SessionParts, onError: (error: unknown) => void): Answer {
  const handlers = new Map<number, Handler>([
    ...handleRequests(parts),
    ...pathRequests(parts),
    [TYPE.extended, extendedRequest(parts)],
  ]);
  return async (packet) => {
    let id = 0;
    try {
      const fields = new FieldReader(packet);
      const handler = handlers.get(fields.byte());
      id = fields.number();
      if (!handler) throw new SftpFailure(STATUS.unsupported, 'Operation unsupported');
      return await handler(id, fields);
    } catch (error) {
      const known = statusOf(error);
      if (!known) onError(error);
      const { status, message } = known ?? { status: STATUS.failure, message: 'An internal error occurred.' };
      return statusReply(id, status, message);
    }
  };
}
