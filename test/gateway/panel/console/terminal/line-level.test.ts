import t from 'tap';
import { isFrame, levelOf } from '../../../../../gateway/panel/src/console/terminal/line-level.ts';

/** Prefixes in the formats of all supported servers, with the level replaced. */
const PREFIXES = [
  '2019-02-16 00:25:29 [LEVEL] ',
  '[12:00:00] [Server thread/LEVEL]: ',
  '[12:00:00 LEVEL]: ',
  '[12:00:00] [Server thread/LEVEL] [net.minecraft.server.dedicated.DedicatedServer]: ',
  '[29Oct2024 17:00:48.337] [Server thread/LEVEL] [net.minecraft.server.dedicated.DedicatedServer/]: ',
  '[11:47:11] [Server thread/LEVEL] (Minecraft) ',
  '14:24:22 [LEVEL] ',
  '[15:15:18.581 main/LEVEL] ',
  '2026-11-20 12:00:00: LEVEL[Main]: ',
];
const LEVELS = {
  TRACE: 'info',
  DEBUG: 'info',
  INFO: 'info',
  WARN: 'warning',
  WARNING: 'warning',
  ERROR: 'error',
  SEVERE: 'error',
  FATAL: 'error',
} as const;

t.test('the level of a line is the one in its prefix', (t) => {
  for (const prefix of PREFIXES)
    for (const [name, level] of Object.entries(LEVELS)) {
      const line = `${prefix.replace('LEVEL', name)}hello`;
      t.equal(levelOf(line), level, line);
    }
  t.end();
});

t.test('what comes after the level does not count', (t) => {
  t.equal(levelOf('[12:00:00 INFO]: <Steve> ERROR java.lang.NullPointerException'), 'info');
  t.equal(levelOf('[12:00:00 WARN]: Last ERROR was long ago'), 'warning');
  t.end();
});

t.test('stack traces and exceptions without a level are errors', (t) => {
  for (const line of [
    'java.lang.Exception: x',
    'caused by Exception',
    'Caused by: java.lang.NullPointerException: x',
    'java.lang.OutOfMemoryError: Java heap space',
    '\tat net.minecraft.server.MinecraftServer.run(MinecraftServer.java:42) ~[?:?]',
    '        at java.base/java.lang.Thread.run(Thread.java:1583)',
    '\tSuppressed: java.io.IOException: x',
    '\t... 12 more',
  ])
    t.equal(levelOf(line), 'error', line);
  t.end();
});

t.test('all other lines are no warnings', (t) => {
  for (const line of [
    '',
    '[INFO]: Warned nobody',
    'ERRORS',
    'an exceptional day',
    'Exceptional',
    'No Errors',
    'at noon',
    '... 12 more',
  ])
    t.equal(levelOf(line), 'info', line);
  t.end();
});

t.test('recognises the frames of a stack trace, with and without a prefix', (t) => {
  for (const line of [
    '\tat net.minecraft.server.MinecraftServer.run(MinecraftServer.java:42) ~[?:?]',
    '        at TRANSFORMER/minecraft@1.20.4/net.minecraft.server.Main.main(Main.java:1)',
    '\t... 12 more',
    '[12:00:00 WARN]: \tat java.base/java.lang.Thread.run(Thread.java:1583)',
  ])
    t.ok(isFrame(line), line);
  for (const line of [
    '',
    'java.lang.Exception: x',
    'Caused by: java.lang.Exception: x',
    '[12:00:00 WARN]: at noon',
    'No at FooException',
  ])
    t.notOk(isFrame(line), line);
  t.end();
});

t.test('a long line takes no longer than its length', (t) => {
  const start = performance.now();
  for (const one of [' ', '\t', 'a', 'at ', 'WARN_', '... 1']) {
    levelOf(one.repeat(64 * 1024));
    isFrame(one.repeat(64 * 1024));
    isFrame(`]: ${one.repeat(64 * 1024)}`);
  }
  t.ok(performance.now() - start < 1_000);
  t.end();
});
