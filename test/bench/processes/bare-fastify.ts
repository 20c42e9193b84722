/** A Fastify server that answers `GET /health` and nothing else, for comparison. */
import fastify from 'fastify';

const app = fastify();
app.get('/health', () => ({ status: 'ok' }));
await app.listen({ port: Number(process.env.GAMEKEEPER_PORT), host: '127.0.0.1' });
