/**
 * A pattern of an owner that takes hours on a line that a player can write. The check refuses those that it knows, so this goes around it, to
 * show that the supervisor does not depend on the check.
 */
import t from 'tap';
import { runSupervisor, testPeer } from '../support/processes/running-supervisor.ts';

const SLOW_LINE = 'a'.repeat(400);
const ATTACKS = [
  '(?:(?:a|a){8}){40}!',
  '(?:a?){8}(?:a?){8}(?:a?){8}(?:a?){80}!',
  '^(?:a{0,8}){80}(?:a{0,8}){8}b',
  '(a+)+!',
];
const game = (script: string) => ({ software: 'custom' as const, launch: { command: ['sh', '-c', script] } });

for (const pattern of ATTACKS)
  t.test(`${pattern} as a redaction pattern: the line is hidden, and the server goes on`, async (t) => {
    const server = await runSupervisor(t, {
      config: { ...game(`echo up; read l; echo ${SLOW_LINE}; echo secret-4711; read l; exit 0`), readyPattern: '^up$' },
    });
    server.service.setRedaction({ patterns: [pattern, String.raw`secret-\d+`], exceptions: [] });
    await server.service.start();
    await server.waitForPhase('running');
    server.service.sendLine('go');
    await server.waitForLine(/^\[unchecked\]$/);
    await server.waitForLine(/^\[redacted\]$/);
    t.notMatch((await server.lines()).join('\n'), /aaaa|4711/);
    t.equal(server.service.status().phase, 'running');
    await server.service.stop();
    await server.waitForPhase('stopped');
  });

t.test('as an exception: what it should show stays hidden', async (t) => {
  const server = await runSupervisor(t, {
    config: {
      ...game(`echo up; read l; echo "mail ${'a'.repeat(60)}@example.org"; read l; exit 0`),
      readyPattern: '^up$',
    },
  });
  server.service.setRedaction({ patterns: [], exceptions: ['(?:a|a)*!'] });
  await server.service.start();
  await server.waitForPhase('running');
  server.service.sendLine('go');
  await server.waitForLine(/^mail \[email-[0-9a-f]+\]$/);
});

t.test('as readyPattern: the slow line is passed over, and the next one is found', async (t) => {
  const script = `echo ${SLOW_LINE}; echo ready!; read l; exit 0`;
  const server = await runSupervisor(t, { config: { ...game(script), readyPattern: '^(?:a|a)*!|^ready!' } });
  await server.service.start();
  await server.waitForPhase('running');
});

t.test('as savedPattern: the slow line confirms nothing, and the next one is found', async (t) => {
  const script = `echo up; while read l; do [ "$l" = save ] && { echo ${SLOW_LINE}; echo saved; }; done`;
  const server = await runSupervisor(t, {
    config: {
      ...game(script),
      readyPattern: '^up$',
      saveCommands: { off: 'off', flush: 'save', on: 'on', savedPattern: '^(?:a|a)*!|^saved' },
    },
  });
  await server.service.start();
  await server.waitForPhase('running');
  t.match(await server.service.hold('backing-up', testPeer()), { quiesced: true });
});
