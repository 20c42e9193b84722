import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { requireProgram } from '../../../support/machine/system-packages.ts';
import { temporaryFolder } from '../../../support/machine/temporary-folder.ts';
import { until } from '../../../support/machine/until.ts';
import { runSupervisor } from '../../../support/processes/running-supervisor.ts';

/** A single-file program (JEP 330) that prints the lines of vanilla and ends at `stop`. */
const SOURCE = `
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class Server {
  public static void main(String[] args) throws Exception {
    say("Starting minecraft server version 1.20.4");
    say("Done (0.123s)! For help, type \\"help\\"");
    BufferedReader console = new BufferedReader(new InputStreamReader(System.in));
    for (String line = console.readLine(); line != null; line = console.readLine()) {
      if (line.equals("stop")) break;
      say("Unknown command: " + line);
    }
    say("Stopping server");
    System.out.println("ThreadedAnvilChunkStorage: All dimensions are saved");
  }

  static void say(String text) {
    System.out.println("[12:00:00] [Server thread/INFO]: " + text);
  }
}
`;

t.test('a real JVM starts, becomes ready, is measured, answers and stops', async (t) => {
  if (!requireProgram(t, 'java', 'openjdk-17-jre-headless')) return;
  const directory = join(temporaryFolder(t), 'server');
  mkdirSync(directory);
  writeFileSync(join(directory, 'Server.java'), SOURCE);
  const { service, phases, waitForPhase, lines } = await runSupervisor(t, {
    config: {
      software: 'custom',
      directory,
      managed: false,
      launch: { command: ['java', '-Xmx128M', 'Server.java'] },
      readyPattern: String.raw`^Done \(\d+[.,]\d+s\)!`,
    },
  });
  await service.start();
  await waitForPhase('running');
  t.match(await service.command('hello'), 'Unknown command: hello');
  await until('its memory is known', () => (service.status().memoryUsedMb ?? 0) > 20);
  await service.stop();
  await waitForPhase('stopped');
  t.strictSame(phases, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
  t.match((await lines()).join('\n'), /Stopping server.*All dimensions are saved.*has stopped \(exit code 0\)/s);
});
