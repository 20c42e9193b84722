import t from 'tap';
import { exitReason, type ProcessEnd } from '../../../../workers/supervisor/crash/exit-reason.ts';

const P = '[12:00:00] [Server thread/INFO]: ';
const reason = (change: Partial<ProcessEnd>) =>
  exitReason({
    exitCode: 1,
    signal: null,
    wasReady: true,
    lastLines: [],
    outOfMemoryKills: false,
    memoryMb: 2048,
    ...change,
  });

t.test('an exit code is told with whether the server was ready', async (t) => {
  t.equal(reason({ exitCode: 3 }), 'Ended by itself with exit code 3.');
  t.equal(reason({ exitCode: 0, wasReady: false }), 'Ended before it was ready with exit code 0.');
});

t.test('a signal is told in words', async (t) => {
  t.equal(reason({ exitCode: null, signal: 'SIGSEGV' }), 'Crashed: it touched memory that is not its own (SIGSEGV).');
  t.equal(reason({ exitCode: null, signal: 'SIGKILL' }), 'Killed from outside (SIGKILL).');
  t.equal(reason({ exitCode: null, signal: 'SIGXCPU' }), 'Ended by a signal (SIGXCPU).');
});

t.test('a kill for want of memory is named as such', async (t) => {
  t.match(reason({ exitCode: null, signal: 'SIGKILL', outOfMemoryKills: true }), /machine ran out of memory.*2048 MiB/);
});

t.test('a script whose Java was killed is told as that Java', async (t) => {
  t.match(reason({ exitCode: 137, outOfMemoryKills: true }), /machine ran out of memory/);
  t.equal(reason({ exitCode: 137 }), 'Killed from outside (SIGKILL).');
});

t.test('what a report of all threads hides is found, and what a server survives does not count for ever', async (t) => {
  const threads = Array<string>(1_500).fill('\tat java.base/java.lang.Thread.run(Thread.java:1583)');
  const behind = (line: string) => reason({ lastLines: [line, ...threads] });
  t.match(behind(`${P}A single server tick took 60.00 seconds (should be max 0.05)`), /watchdog/);
  t.match(behind(`${P}Considering it to be crashed, server will forcibly shutdown.`), /watchdog/);
  t.match(behind('Description: Watching Server'), /watchdog/);
  t.match(
    behind('[12:00:00 ERROR]: The server has stopped responding! This is (probably) not a Paper bug.'),
    /watchdog/,
  );
  t.match(behind('java.lang.OutOfMemoryError: Java heap space'), /Java ran out of memory/);
  t.equal(behind(`${P}**** FAILED TO BIND TO PORT!`), 'Ended by itself with exit code 1.');
});

t.test("the server's own words say why", async (t) => {
  const cases: [string, RegExp][] = [
    [
      'java.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main has been compiled by a more recent version (class file version 65.0)',
      /This needs Java 21 or newer\. Set the instance's javaVersion to 21\./,
    ],
    [
      '\tjava.lang.UnsupportedClassVersionError: Main has been compiled by a more recent version of the Java Runtime (class file version 60.0), this version of the Java Runtime only recognizes class file versions up to 52.0',
      /needs Java 16 or newer\. Set the instance's javaVersion to 17\./,
    ],
    ['java.lang.UnsupportedClassVersionError: Main (class file version 80.0)', /Java 36 or newer, which Gamekeeper/],
    [
      'Minecraft 1.18 requires running the server with Java 17 or above. Download Java 17 (or above) from https://adoptium.net/',
      /Java 17 or newer\. Set the instance's javaVersion to 17\./,
    ],
    [
      'Unsupported Java detected (61.0). Only up to Java 16 is supported.',
      /Java 16 at most\. Set .* javaVersion to 11,/,
    ],
    [
      "Unsupported Java detected (55.0). This version of Minecraft requires at least Java 17. Check your Java version with the command 'java -version'.",
      /Java 17 or newer\. Set the instance's javaVersion to 17\./,
    ],
    [
      'Exception in thread "main" java.lang.ClassCastException: class jdk.internal.loader.ClassLoaders$AppClassLoader cannot be cast to class java.net.URLClassLoader',
      /Java 8 at most\. Set the instance's javaVersion to 8,/,
    ],
    ['Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', /Java ran out of memory: 2048 MiB/],
    ['Error: Could not reserve enough space for 4194304KB object heap', /does not have the 2048 MiB/],
    ['Error: Unable to access jarfile server.jar', /^The file server\.jar is missing/],
    [`${P}**** FAILED TO BIND TO PORT!`, /port.*in use/],
    [`${P}You need to agree to the EULA in order to run the server.`, /EULA/],
    [
      '[12:00:00] [Server thread/WARN]: The exception was: java.net.BindException: Cannot assign requested address',
      /Leave server-ip empty/,
    ],
    [
      'Error: Could not find or load main class net.minecraft.server.Main',
      /main class net\.minecraft\.server\.Main is missing/,
    ],
    ['no main manifest attribute, in paper.jar', /^paper\.jar is not a server/],
    ['Error: Invalid or corrupt jarfile server.jar', /^server\.jar is damaged/],
    ["Unrecognized VM option 'UseConcMarkSweepGC'", /does not know the option UseConcMarkSweepGC/],
    ['Unrecognized option: -Xmxx', /does not know the option -Xmxx/],
    [
      "\tMod ID: 'geckolib', Requested by: 'alexsmobs', Expected range: '[4.2,)', Actual version: '[MISSING]'",
      /"alexsmobs" needs "geckolib" \[4\.2,\), and it is not there/,
    ],
    [
      "\t - Mod 'Sodium' (sodium) 0.5.3 requires version 1.20.1 of 'Minecraft' (minecraft), but only the wrong version is present: 1.20.4!",
      /"Sodium" requires version 1\.20\.1 of 'Minecraft'/,
    ],
    [
      '[12:00:00] [main/ERROR]: Failed to load world data from world/level.dat and world/level.dat_old. World files may be corrupted. Shutting down.',
      /level\.dat is damaged/,
    ],
    [
      'net.minecraft.util.DirectoryLock$LockException: /srv/world/session.lock: already locked (possibly by other Minecraft instance?)',
      /in use by another server process/,
    ],
    [
      '[12:00:00] [Server thread/WARN]: The exception was: java.net.BindException: Address already in use',
      /port.*in use/,
    ],
    ['java.io.IOException: No space left on device', /disk is full/],
    ['sh: 1: exec: /opt/jre/bin/java: Exec format error', /could not be executed: .*Exec format error/],
    ['execvp(3) failed.: No such file or directory', /could not be executed: No such file or directory/],
    [`${P}A single server tick took 60.00 seconds (should be max 0.05)`, /watchdog/],
  ];
  for (const [line, expected] of cases) t.match(reason({ lastLines: ['first', line, 'last'] }), expected, line);
});

t.test('the last words count most', async (t) => {
  t.match(
    reason({ lastLines: [`${P}**** FAILED TO BIND TO PORT!`, 'java.lang.OutOfMemoryError: Java heap space'] }),
    /out of memory/,
  );
});

t.test('what a player says is no witness', async (t) => {
  t.equal(reason({ lastLines: [`${P}<Eve> java.lang.OutOfMemoryError`] }), 'Ended by itself with exit code 1.');
});
