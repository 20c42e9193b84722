/** The kinds of games whose programs cannot be had here, installed and run with stand-ins for SteamCMD, the vendors' sites and the programs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { patternProblem } from '../../../../../daemon/settings/safe-pattern.ts';
import { SOFTWARE, setCustomSoftware } from '../../../../../shared/domain/software/catalogue.ts';
import type { SoftwareDefinition } from '../../../../../shared/domain/software/definition.ts';
import { logPrefixOf, parseLogLine } from '../../../../../workers/supervisor/game/log-prefix.ts';
import type { Behaviour } from '../../../../fixtures/game-stand-in.ts';
import { tarOf } from '../../../../support/jobs/archives.ts';
import { startTestJobs, type TestJobs } from '../../../../support/jobs/test-jobs.ts';
import { freePort } from '../../../../support/machine/free-port.ts';
import { instanceConfig } from '../../../../support/processes/instance-config.ts';
import { runSupervisor } from '../../../../support/processes/running-supervisor.ts';
import { zipBytes } from '../../../pool/zip-bytes.ts';
import { serveFiles, standInSteamCmd } from './steps-world.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../../../fixtures/game-stand-in.ts');

interface Game {
  /** Where the vendor has its program, and the number of its app on Steam or the path of its download. */
  program: string;
  app?: number;
  download?: string;
  behaviour: Behaviour;
  variables?: Record<string, string>;
  /** Settings that have to be in a file. */
  settings?: readonly [file: string, ...patterns: RegExp[]];
  /** What has to be among its arguments. */
  args?: readonly RegExp[];
}

/** Each stand-in does what its vendor documents: docs/games.md has the sources. */
const GAMES: Record<string, Game> = {
  factorio: {
    program: 'bin/x64/factorio',
    download: '/get-download/stable/headless/linux64',
    behaviour: {
      udp: ['--port (\\d+)'],
      tcp: [],
      rcon: { type: 'source', port: '--rcon-bind 127\\.0\\.0\\.1:(\\d+)', password: '--rcon-password (\\S+)' },
      prints: [
        '   1.012 Info ServerMultiplayerManager.cpp:798: updateTick(0) changing state from(CreatingGame) to(InGame)',
      ],
      stops: '/quit',
      creates: '--create',
    },
    variables: { password: 'hidden words' },
    settings: ['server-settings.json', /"game_password": "hidden words"/, /"max_players": 10/, /"public": false/],
    args: [/--start-server saves\/world\.zip/, /--server-settings server-settings\.json/],
  },
  terraria: {
    program: 'TerrariaServer.bin.x86_64',
    download: '/api/download/pc-dedicated-server/terraria-server-1449.zip',
    behaviour: {
      udp: [],
      tcp: ['^port=(\\d+)'],
      settings: 'serverconfig.txt',
      prints: [': Server started'],
      stops: 'exit',
    },
    settings: ['serverconfig.txt', /^world=.*\/worlds\/world\.wld$/m, /^autocreate=2$/m, /^maxplayers=8$/m],
    args: [/-config serverconfig\.txt/],
  },
  valheim: {
    program: 'valheim_server.x86_64',
    app: 896660,
    behaviour: {
      udp: ['-port (\\d+)'],
      tcp: [],
      prints: ['02/08/2026 10:00:00: Game server connected'],
      env: { LD_LIBRARY_PATH: '/linux64$', SteamAppId: '^892970$' },
    },
    variables: { password: 'odinrules' },
    args: [
      /-nographics -batchmode -name Valheim /,
      /-world Dedicated -password odinrules -savedir \S+\/saves -public 0/,
    ],
  },
  palworld: {
    program: 'PalServer.sh',
    app: 2394010,
    behaviour: {
      udp: ['-port=(\\d+)'],
      tcp: [],
      settings: 'Pal/Saved/Config/LinuxServer/PalWorldSettings.ini',
      rcon: { type: 'source', port: 'RCONEnabled=True,RCONPort=(\\d+)', password: 'AdminPassword="(\\S+?)"' },
      prints: ['Running Palworld dedicated server on :8211'],
      stops: 'Shutdown 1',
    },
    settings: [
      'Pal/Saved/Config/LinuxServer/PalWorldSettings.ini',
      /^OptionSettings=\(ServerName="Palworld",.*,Difficulty=None\)$/m,
    ],
    args: [/-players=32/],
  },
  rust: {
    program: 'RustDedicated',
    app: 258550,
    behaviour: {
      udp: ['\\+server\\.port (\\d+)', '\\+server\\.queryport (\\d+)'],
      tcp: [],
      rcon: { type: 'web', port: '\\+rcon\\.port (\\d+)', password: '\\+rcon\\.password (\\S+)' },
      prints: ['Server startup complete'],
      stops: 'quit',
    },
    args: [/^-batchmode /, /\+server\.level Procedural Map /, /\+rcon\.web 1/, /\+server\.worldsize 3000/],
  },
  cs2: {
    program: 'game/bin/linuxsteamrt64/cs2',
    app: 730,
    behaviour: { udp: ['-port (\\d+)'], tcp: [], prints: [], stops: 'quit' },
    settings: ['game/csgo/cfg/server.cfg', /^hostname "Counter-Strike 2"$/m, /^sv_password ""$/m],
    args: [/^-dedicated /, /-maxplayers 16/, /\+map de_dust2$/],
  },
  satisfactory: {
    program: 'FactoryServer.sh',
    app: 1690800,
    behaviour: { udp: ['-Port=(\\d+)'], tcp: ['-Port=(\\d+)', '-ReliablePort=(\\d+)'], prints: [] },
    settings: ['FactoryGame/Saved/Config/LinuxServer/Game.ini', /^\[\/Script\/Engine\.GameSession\]\nMaxPlayers=4$/m],
  },
  zomboid: {
    program: 'start-server.sh',
    app: 380870,
    behaviour: {
      udp: ['-port (\\d+)', '-udpport (\\d+)'],
      tcp: [],
      prints: ['LOG  : Network     , 1650000000000> 123,456> *** SERVER STARTED ****.'],
      stops: 'quit',
    },
    variables: { adminPassword: 'secret12' },
    settings: ['Zomboid/Server/gamekeeper.ini', /^PublicName=Project Zomboid$/m, /^MaxPlayers=16$/m],
    args: [/-servername gamekeeper -cachedir=\S+\/Zomboid /, /-adminpassword secret12$/],
  },
  ark: {
    program: 'ShooterGame/Binaries/Linux/ShooterGameServer',
    app: 376030,
    behaviour: {
      udp: ['\\?Port=(\\d+)', '\\?QueryPort=(\\d+)'],
      tcp: [],
      settings: 'ShooterGame/Saved/Config/LinuxServer/GameUserSettings.ini',
      rcon: { type: 'source', port: '^RCONPort=(\\d+)', password: '^ServerAdminPassword=(\\S+)' },
      prints: [],
      stops: 'DoExit',
    },
    settings: [
      'ShooterGame/Saved/Config/LinuxServer/GameUserSettings.ini',
      /^\[SessionSettings\]\nSessionName=ARK$/m,
      /^RCONEnabled=True$/m,
    ],
    args: [/^TheIsland\?listen\?Port=\d+\?QueryPort=\d+\?MaxPlayers=70 -server -log$/],
  },
};

const REDISTRIBUTABLE = { 'linux64/steamclient.so': 'library' };

/** A program that runs the stand-in. Start scripts of vendors wait for their server. */
function script({ program, behaviour }: Pick<Game, 'program' | 'behaviour'>): string {
  const exec = program.endsWith('.sh') ? '' : 'exec ';
  return `#!/bin/sh\n${exec}'${process.execPath}' '${FIXTURE}' '${JSON.stringify(behaviour)}' "$@"\n`;
}

/** The kind as it ships, except for the address of its vendor. */
async function definitionOf(t: Test, kind: string, game: Game): Promise<SoftwareDefinition> {
  const { program, download } = game;
  const shipped = SOFTWARE.find((one) => one.kind === kind)!;
  if (download === undefined || !shipped.install || !('steps' in shipped.install)) return shipped;
  const files: Record<string, string> = {
    [`factorio/${program}`]: script(game),
    'factorio/data/base/info.json': '{}',
  };
  const zip = ['Linux', 'Windows'].map((system) => ({ name: `1449/${system}/${program}`, content: script(game) }));
  const { base } = await serveFiles(t, { [download]: kind === 'factorio' ? tarOf(t, files, 'xz') : zipBytes(zip) });
  const steps = shipped.install.steps.map((step) =>
    step.type === 'download' ? { ...step, url: step.url.replace(/^https:\/\/[^/]+/, base) } : step,
  );
  return { ...shipped, kind: `${kind}-here`, install: { steps } };
}

async function portsOf({ ports = [] }: SoftwareDefinition, port: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name, offset } of ports) found[name] = offset === 0 ? port : await freePort();
  return found;
}

/** Installs the kind and starts it. */
async function live(t: Test, jobs: TestJobs, definition: SoftwareDefinition, variables: Record<string, string>) {
  const id = definition.kind;
  const directory = jobs.home.instanceDirectory(id);
  const port = await freePort();
  const config = instanceConfig({
    ...{ id, software: id, version: definition.defaultVersion!, directory, managed: true, port, variables },
    ports: await portsOf(definition, port),
    ...(definition.admin &&
      definition.admin.type !== 'none' && { rcon: { port: await freePort(), password: 'rcon-secret' } }),
    ...(definition.stop?.graceSeconds && { stopTimeoutSeconds: definition.stop.graceSeconds }),
  });
  jobs.daemon.instances.set(id, { config, runtime: { phase: 'provisioning' }, socket: null });
  const upstream = { provision: (signal: AbortSignal) => jobs.call.provision(id, { signal }) };
  return { directory, running: await runSupervisor(t, { home: jobs.home, config, upstream }) };
}

for (const [kind, game] of Object.entries(GAMES))
  t.test(`${kind} is installed, starts with its documented arguments, and stops in its own way`, async (t) => {
    const jobs = await startTestJobs(t, { instances: [] });
    if (game.app !== undefined)
      standInSteamCmd(t, { [game.app]: { [game.program]: script(game) }, 1007: REDISTRIBUTABLE });
    const definition = await definitionOf(t, kind, game);
    jobs.daemon.kinds = definition.kind === kind ? [] : [definition];
    setCustomSoftware(jobs.daemon.kinds);
    const { directory, running } = await live(t, jobs, definition, game.variables ?? {});

    await running.service.start();
    await running.waitForPhase('running');
    const text = (await running.lines()).join('\n');
    t.match(text, `Installed ${definition.title}.`);
    const given = readFileSync(path.join(directory, 'arguments.txt'), 'utf8');
    for (const pattern of game.args ?? []) t.match(given, pattern);
    if (game.variables?.password) t.notMatch(text, game.variables.password);
    const [file, ...patterns] = game.settings ?? [];
    for (const pattern of patterns) t.match(readFileSync(path.join(directory, file!), 'utf8'), pattern);
    if (game.app !== undefined && ['palworld', 'cs2'].includes(kind))
      t.ok(existsSync(path.join(directory, '.steam/sdk64/steamclient.so')));
    if (kind === 'factorio') t.equal(readFileSync(path.join(directory, 'saves/world.zip'), 'utf8'), 'a new world');

    await running.service.stop();
    await running.waitForPhase('stopped');
    const stopped = (await running.lines()).join('\n');
    t.match(stopped, /Saving and stopping\./);
    t.notMatch(stopped, /SIGTERM|SIGKILL/, 'by itself');

    mkdirSync(path.join(directory, 'saves'), { recursive: true });
    writeFileSync(path.join(directory, 'saves/world.zip'), 'played');
    const asked: string[] = [];
    jobs.daemon.instances.get(definition.kind)!.config.version = 'latest';
    for await (const step of jobs.call.provision(definition.kind)) if ('progress' in step) asked.push(step.progress);
    t.match(asked.join('\n'), `Installed ${definition.title}.`, '"latest" installs it again');
    t.equal(readFileSync(path.join(directory, 'saves/world.zip'), 'utf8'), 'played');
  });

/** Lines as the vendors' programs print them, and what a player could write in chat. */
const MOVEMENTS: Record<string, { joined: string; left: string; chat: string }> = {
  factorio: {
    joined: '2026-11-26 12:00:00 [JOIN] Anna joined the game',
    left: '2026-11-26 12:30:00 [LEAVE] Anna left the game',
    chat: '2026-11-26 12:10:00 [CHAT] Eve: 2026-11-26 12:00:00 [JOIN] Anna joined the game',
  },
  terraria: { joined: 'Anna has joined.', left: ': Anna has left.', chat: '<Eve> Anna has joined.' },
  palworld: {
    joined: '[2026-11-26 12:00:00] [LOG] Anna joined the server. (User id: steam_1)',
    left: '[2026-11-26 12:30:00] [LOG] Anna left the server. (User id: steam_1)',
    chat: '[2026-11-26 12:10:00] [CHAT] <Eve> Anna joined the server.',
  },
};

for (const [kind, { joined, left, chat }] of Object.entries(MOVEMENTS))
  t.test(`${kind}: lines of players who come and go are recognised, and chat is not`, async (t) => {
    const definition = SOFTWARE.find((one) => one.kind === kind)!;
    const { message: came } = parseLogLine(joined, logPrefixOf(definition));
    const { message: went } = parseLogLine(left, logPrefixOf(definition));
    const { message: said, text } = parseLogLine(chat, logPrefixOf(definition));
    const pattern = new RegExp(definition.players!.joined!);
    t.equal(pattern.exec(came)?.groups?.name, 'Anna');
    t.equal(new RegExp(definition.players!.left!).exec(went)?.groups?.name, 'Anna');
    for (const one of [said, text]) t.notMatch(one, pattern);
  });

t.test('the patterns of these kinds are safe to use on any output', async (t) => {
  for (const { kind, logPrefix, readyPattern, players, save, commandFailedPattern } of SOFTWARE.filter(
    ({ untested }) => untested,
  ))
    for (const source of [
      logPrefix,
      readyPattern,
      players?.joined,
      players?.left,
      save.savedPattern,
      commandFailedPattern,
    ])
      if (source != null) t.equal(patternProblem(source, { shortLines: true }), undefined, `${kind}: ${source}`);
});

t.test('these kinds are marked as untested, and no others', async (t) => {
  t.same(
    SOFTWARE.filter(({ untested }) => untested).map(({ kind }) => kind),
    Object.keys(GAMES),
  );
});
