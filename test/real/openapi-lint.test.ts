import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Family } from '../../gateway/listeners/listener-plan.ts';
import { temporaryFolder } from '../support/machine/temporary-folder.ts';
import { build } from '../support/processes/gateway-app.ts';

const REDOCLY = join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js');
const CONFIG = join(import.meta.dirname, 'redocly.yaml');

const LISTENERS: Record<string, readonly Family[]> = {
  panel: ['daemon', 'session'],
  remote: ['versioned'],
  both: ['daemon', 'versioned', 'session'],
};

t.test("Redocly's linter finds no fault in the documents of all listeners", async (t) => {
  const folder = temporaryFolder(t);
  const { listener } = await build(t);
  for (const [name, families] of Object.entries(LISTENERS)) {
    const app = await listener({ families });
    const file = join(folder, `${name}.json`);
    writeFileSync(file, (await app.inject('/openapi.json')).body);
    const { code, output } = await lint(file);
    t.equal(code, 0, `${name}: ${output}`);
    t.match(output, /Your API description is valid/, name);
    t.notMatch(output, /warning/, name);
  }
});

t.test('the linter finds a wrong example', async (t) => {
  const { app } = await build(t);
  const document = (await app.inject('/openapi.json')).json();
  document.paths['/instances'].get.responses['200'].content['application/json'].example = { id: 1 };
  const file = join(temporaryFolder(t), 'wrong.json');
  writeFileSync(file, JSON.stringify(document));
  const { code, output } = await lint(file);
  t.not(code, 0);
  t.match(output, /no-invalid-media-type-examples/);
});

function lint(file: string): Promise<{ code: number; output: string }> {
  // Without requests for updates.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  return new Promise((resolve) => {
    execFile(process.execPath, [REDOCLY, 'lint', file, '--config', CONFIG], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: stdout + stderr });
    });
  });
}
