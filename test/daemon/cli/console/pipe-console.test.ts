import t, { type Test } from 'tap';
import { type WebSocket, WebSocketServer } from 'ws';
import { fakeGateway, gamekeeper } from '../fake-gateway.ts';

const DEMO = { id: 'demo', name: 'Demo', software: 'demo', version: '1.0', port: 25_565, status: 'running' };

function lines(first: number, ...texts: string[]): string {
  return JSON.stringify({
    lines: texts.map((text, index) => ({ seq: first + index, at: '2026-11-20T08:00:00Z', text })),
  });
}

/** A gateway with a console; `onViewer` runs for each connection. */
async function withConsole(t: Test, onViewer: (viewer: WebSocket, path: string) => void) {
  const gateway = await fakeGateway(t, () => ({ body: DEMO }));
  const paths: string[] = [];
  const sockets = new WebSocketServer({ server: gateway.server, perMessageDeflate: true });
  sockets.on('connection', (viewer, request) => {
    paths.push(request.url ?? '');
    onViewer(viewer, request.url ?? '');
  });
  t.teardown(() => {
    for (const viewer of sockets.clients) viewer.terminate();
  });
  return { ...gateway, paths };
}

t.test('through a pipe each line is a command, and the console ends after the answers', async (t) => {
  const { home, paths } = await withConsole(t, (viewer) => {
    viewer.send(lines(1, '\u001b[32mbefore\u001b[0m'));
    viewer.on('message', (data) => viewer.send(lines(2, `answer to ${String(data)}`)));
  });
  const { code, stdout } = await gamekeeper(home, ['console', 'demo'], { input: 'list\n\nsay hi\n' });
  t.equal(code, 0);
  t.equal(stdout, 'before\nanswer to list\nanswer to say hi\n', 'no colours without a terminal');
  t.same(paths, ['/ws/instances/demo/console?format=json']);
});

t.test('the console does not offer compression: a small message must not inflate to a large one', async (t) => {
  let extensions: string | undefined;
  const { home } = await withConsole(t, (viewer) => {
    extensions = viewer.extensions;
    viewer.close(1000);
  });
  await gamekeeper(home, ['logs', 'demo', '-f']);
  t.equal(extensions, '');
});

t.test('a lost connection continues from the line after the last', async (t) => {
  let connections = 0;
  const { home, paths } = await withConsole(t, (viewer) => {
    connections++;
    if (connections === 1) {
      viewer.send(lines(41, 'one', 'two'), () => viewer.terminate());
    } else {
      viewer.send(JSON.stringify({ skipped: 3 }));
      viewer.send(JSON.stringify({ notice: '[gamekeeper] not allowed' }));
      viewer.send(lines(46, 'six'), () => viewer.close(1000));
    }
  });
  const { code, stdout } = await gamekeeper(home, ['logs', 'demo', '-f']);
  t.equal(code, 0);
  t.equal(stdout, 'one\ntwo\n[gamekeeper] skipped 3 lines\n[gamekeeper] not allowed\nsix\n');
  t.same(paths, ['/ws/instances/demo/console?format=json', '/ws/instances/demo/console?format=json&after=42']);
});

t.test('-n limits the lines from before', async (t) => {
  const { home } = await withConsole(t, (viewer) => {
    viewer.send(lines(1, 'a', 'b', 'c', 'd'));
    setTimeout(() => viewer.send(lines(5, 'new'), () => viewer.close(1000)), 600);
  });
  t.equal((await gamekeeper(home, ['logs', 'demo', '-f', '-n', '2'])).stdout, 'c\nd\nnew\n');
  t.equal((await gamekeeper(home, ['logs', 'demo', '-f', '-n', '0'])).stdout, 'new\n');
});
