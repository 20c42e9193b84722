import { Readable } from 'node:stream';
import { canSee } from '../../../shared/domain/access/rights.ts';
import type { Credentials } from '../../auth/credentials/credentials.ts';
import { watchCredential } from '../../auth/credentials/watch-credential.ts';
import { needs } from '../../http/operation.ts';
import type { Api } from '../../http/zod-provider.ts';
import { eventText } from '../../services/events/event-log.ts';
import type { Services } from '../../services/services.ts';

/** A reader that misses two knows that the connection is lost. Proxies do not close a quiet connection either. */
const HEARTBEAT_EVERY_MS = 2_000;
/** With data, because browsers hide comments and events without data from scripts (HTML, "Server-sent events"). */
const HEARTBEAT = eventText('heartbeat', {});
/** A reader that falls further behind is disconnected, and can return with `Last-Event-ID`. */
const MAX_WAITING_BYTES = 1024 * 1024;

const EXAMPLE = `retry: 1000

event: instance.phase
data: {"instanceId":"demo","status":"running","phase":"running"}

id: 5f0c2a9d-42
event: usage
data: {"instanceId":"demo","cpuPercent":2.5,"memoryUsedMb":88,"tickTimeMs":3.2,"tps":20,"playersOnline":1}

`;

export interface EventsRouteOptions {
  credentials: Pick<Credentials, 'onChange' | 'current'>;
  now: () => number;
}

export function eventsRoute(app: Api, { events }: Services, { credentials, now }: EventsRouteOptions): void {
  const streams = new Set<Readable>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.push(null);
  });

  app.get(
    '/events',
    {
      config: {
        operation: {
          id: 'streamEvents',
          summary: 'Stream events (Server-Sent Events)',
          description:
            'Events: `instance.phase`, `instance.removed`, `player.join`, `player.leave`, `tunnel.status`, `usage`, `job.progress`, `backup.done`, `backup.removed`, `schedule.run`, and `heartbeat` every 2 seconds. The stream begins with the present state, or resumes after `Last-Event-ID`. If that event is too old, `events.gap` comes first, then the present state. Events without an id are replaced by the next of their type. Only events of instances that you can see are sent.',
          tag: 'Events',
          access: needs('servers:read'),
          requestHeaders: { 'Last-Event-ID': { description: 'Id of the last event received', example: '5f0c2a9d-41' } },
          answers: {
            200: {
              description: 'The event stream. It ends when one side closes it.',
              contentType: 'text/event-stream',
              example: EXAMPLE,
            },
          },
        },
      },
    },
    (request, reply) => {
      reply.header('content-type', 'text/event-stream');
      // nginx would keep events back until its buffer is full.
      reply.header('x-accel-buffering', 'no');
      // Without a body, nothing would ever end the stream.
      if (request.method === 'HEAD') return reply.send('');
      const leave = events.enter(request.identity!);
      const stream = new Readable({ read: () => undefined });
      streams.add(stream);
      const push = (text: string) => {
        if (stream.readableLength > MAX_WAITING_BYTES) stream.destroy();
        else stream.push(text);
      };
      let reader = request.identity!;
      const sees = (instanceId: string) => canSee(reader, instanceId);
      const lastId = request.headers['last-event-id'];
      push(`retry: 1000\n\n${events.catchUp(typeof lastId === 'string' ? lastId : undefined, sees)}`);
      const stopListening = events.onEvent((text, instanceId) => {
        if (sees(instanceId)) push(text);
      });
      const beating = setInterval(() => push(HEARTBEAT), HEARTBEAT_EVERY_MS).unref();
      const stopWatching = watchCredential({
        credentials,
        identity: reader,
        mayStay: ({ scopes }) => scopes.has('servers:read'),
        onChange(current) {
          reader = current;
        },
        onEnd: () => stream.push(null),
        now,
      });
      stream.once('close', () => {
        streams.delete(stream);
        leave();
        stopListening();
        clearInterval(beating);
        stopWatching();
      });
      return reply.send(stream);
    },
  );
}
