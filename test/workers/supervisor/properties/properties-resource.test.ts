import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  changeProperties,
  MASK,
  readProperties,
} from '../../../../workers/supervisor/properties/properties-resource.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const none = new Map<string, { setting: string; value: string }>();

function fileWith(t: Test, text: string): string {
  const file = join(temporaryFolder(t), 'server.properties');
  writeFileSync(file, text);
  return file;
}

t.test('secrets read as stars, and written back as stars they stay', async (t) => {
  const file = fileWith(t, 'rcon.password=hunter22\nmanagement-server-secret=abc\nmotd=Hi\n');
  const { properties } = await readProperties(file);
  t.strictSame(properties, { 'rcon.password': MASK, 'management-server-secret': MASK, motd: 'Hi' });
  await changeProperties(file, { properties: { ...properties, motd: 'Ho' }, governed: none });
  t.equal(readFileSync(file, 'utf8'), 'rcon.password=hunter22\nmanagement-server-secret=abc\nmotd=Ho\n');
  await changeProperties(file, { properties: { 'rcon.password': 'new one' }, governed: none });
  t.match(readFileSync(file, 'utf8'), 'rcon.password=new one\n');
});

t.test('a password that is not set reads as empty', async (t) => {
  t.strictSame((await readProperties(fileWith(t, 'rcon.password=\n'))).properties, { 'rcon.password': '' });
});

t.test('If-Match protects what somebody else has changed meanwhile', async (t) => {
  const file = fileWith(t, 'motd=Hi\n');
  const { etag } = await readProperties(file);
  t.match(etag, /^"[0-9a-f]+"$/);
  const changed = await changeProperties(file, { properties: { motd: 'Ho' }, ifMatch: `"x", ${etag}`, governed: none });
  t.not(changed.etag, etag);
  await t.rejects(changeProperties(file, { properties: { motd: 'Hu' }, ifMatch: etag, governed: none }), {
    code: 'precondition_failed',
  });
  t.match(await changeProperties(file, { properties: { motd: 'Hu' }, ifMatch: '*', governed: none }), {
    properties: { motd: 'Hu' },
  });
});

t.test('a known property with a wrong value is refused by name, and nothing is written', async (t) => {
  const file = fileWith(t, 'motd=Hi\n');
  const wrong: [string, string, RegExp][] = [
    ['server-port', '70000', /whole number from 1 to 65535/],
    ['pvp', 'yes', /"true" or "false"/],
    ['difficulty', 'extreme', /peaceful, easy, normal, hard/],
    ['a key', 'x', /visible ASCII/],
  ];
  for (const [key, value, message] of wrong) {
    await t.rejects(changeProperties(file, { properties: { motd: 'Ho', [key]: value }, governed: none }), {
      code: 'invalid_request',
      message,
    });
  }
  t.equal(readFileSync(file, 'utf8'), 'motd=Hi\n');
});

t.test('an odd value that is there already may be written back', async (t) => {
  const file = fileWith(t, 'pvp=maybe\n');
  await changeProperties(file, { properties: { pvp: 'maybe', motd: 'Ho' }, governed: none });
  t.equal(readFileSync(file, 'utf8'), 'pvp=maybe\nmotd=Ho\n');
});

t.test("what follows from the instance's settings is changed there", async (t) => {
  const file = fileWith(t, 'server-port=25565\n');
  const governed = new Map([['server-port', { setting: 'port', value: '25565' }]]);
  await t.rejects(changeProperties(file, { properties: { 'server-port': '25570' }, governed }), {
    code: 'invalid_request',
    message: "properties.server-port: follows the instance's port (25565).",
  });
});
