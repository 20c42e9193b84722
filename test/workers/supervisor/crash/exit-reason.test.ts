import t from 'tap';
import { exitReason, type ProcessEnd } from '../../../../workers/supervisor/crash/exit-reason.ts';

const P = '[12:00:00] [Server thread/INFO]: ';
const reason = (change: Partial<ProcessEnd>) => explain(change).reason;
const explain = (change: Partial<ProcessEnd>) =>
  exitReason({
    exitCode: 1,
    signal: null,
    wasReady: true,
    lastLines: [],
    outOfMemoryKills: false,
    memoryMb: 2048,
    java: true,
    ...change,
  });

t.test('the reason contains the exit code and whether the server was ready', async (t) => {
  t.equal(reason({ exitCode: 3 }), 'Exited with exit code 3.');
  t.equal(reason({ exitCode: 0, wasReady: false }), 'Exited before it was ready, with exit code 0.');
  t.match(reason({ exitCode: null }), /^Ended\. The exit code is unknown because the supervisor was replaced/);
});

t.test('a reason names the setting that it asks to change', async (t) => {
  t.equal(explain({ lastLines: ['Error: Could not reserve enough space for object heap'] }).setting, 'memoryMb');
  t.equal(explain({ exitCode: null, signal: 'SIGKILL', outOfMemoryKills: true }).setting, 'memoryMb');
  t.equal(explain({ lastLines: ['UnsupportedClassVersionError: (class file version 65.0)'] }).setting, 'javaVersion');
  t.equal(explain({ exitCode: 3 }).setting, undefined);
});

t.test('a signal is explained in words', async (t) => {
  t.equal(reason({ exitCode: null, signal: 'SIGSEGV' }), 'Crashed: invalid memory access (SIGSEGV).');
  t.equal(reason({ exitCode: null, signal: 'SIGKILL' }), 'Killed by another program (SIGKILL).');
  t.equal(reason({ exitCode: null, signal: 'SIGXCPU' }), 'Ended by a signal (SIGXCPU).');
});

t.test('a kill because of low memory is recognised', async (t) => {
  t.match(reason({ exitCode: null, signal: 'SIGKILL', outOfMemoryKills: true }), /machine ran out of memory.*2048 MiB/);
});

t.test('the exit code of a shell whose program was killed counts as the kill', async (t) => {
  t.match(reason({ exitCode: 137, outOfMemoryKills: true }), /machine ran out of memory/);
  t.equal(reason({ exitCode: 137 }), 'Killed by another program (SIGKILL).');
});

t.test('a cause before a long report is found, but an old error that a server survives is ignored', async (t) => {
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
  t.equal(behind(`${P}**** FAILED TO BIND TO PORT!`), 'Exited with exit code 1.');
});

t.test('known errors in the output explain the end', async (t) => {
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
      /"alexsmobs" needs "geckolib" \[4\.2,\), but it is not installed/,
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

t.test('the last known error counts', async (t) => {
  t.match(
    reason({ lastLines: [`${P}**** FAILED TO BIND TO PORT!`, 'java.lang.OutOfMemoryError: Java heap space'] }),
    /out of memory/,
  );
});

t.test('chat does not explain a crash', async (t) => {
  t.equal(reason({ lastLines: [`${P}<Eve> java.lang.OutOfMemoryError`] }), 'Exited with exit code 1.');
});

t.test(
  'a signal from outside outranks old errors, and one of the program itself comes before what its output explains',
  async (t) => {
    const lines = ["[net]: failed to bind socket with domain 10 and type 2 (99 'Cannot assign requested address')"];
    const killed = (signal: string) => reason({ exitCode: null, signal, lastLines: lines, java: false });
    t.equal(killed('SIGKILL'), 'Killed by another program (SIGKILL).');
    t.equal(killed('SIGTERM'), 'Told to stop by another program (SIGTERM).');
    t.match(killed('SIGABRT'), /^Aborted itself \(SIGABRT\)\. The address that the server should listen on is not/);
  },
);

t.test('advice for Java and Minecraft is only for Java, whose output also shows behind a start script', async (t) => {
  const other = (...lastLines: string[]) => reason({ java: false, lastLines });
  t.equal(other('Unrecognized option: --foo'), 'Exited with exit code 1.');
  t.match(other('bind: Cannot assign requested address'), /Correct it in the launch command/);
  t.match(other('terrain: Cannot allocate memory'), /^Exited .* Its last error: terrain: Cannot allocate memory$/);
  t.match(
    other('\tat net.minecraft.Main(Main.java:12)', 'You need to agree to the EULA'),
    /EULA has not been accepted/,
  );
});

t.test('without a known error, the last error is quoted', async (t) => {
  const lines = ['ERROR[Main]: Invalid gameid "x"', 'bye', '<Eve> error: chat'];
  t.equal(
    reason({ java: false, lastLines: lines, wasReady: false }),
    'Exited before it was ready, with exit code 1. Its last error: ERROR[Main]: Invalid gameid "x"',
  );
  t.match(reason({ lastLines: [`fatal ${'x'.repeat(500)}`] }), /x…$/);
});

t.test('other words for a port in use are recognised', async (t) => {
  const lines = [
    "[server]: couldn't open socket. port 8303 might already be in use",
    'dbg: [net] Could not bind socket: Address already in use',
    'Port 5556 is already in use',
    'bind: Only one usage of each socket address (protocol/network address/port) is normally permitted.',
  ];
  for (const line of lines) t.match(reason({ java: false, lastLines: [line] }), /port.*in use by another/, line);
  t.match(reason({ java: false, lastLines: ['Support is already in use of all'] }), /^Exited/);
});
