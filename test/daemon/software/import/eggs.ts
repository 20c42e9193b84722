// biome-ignore-all lint/suspicious/noTemplateCurlyInString: eggs and shells refer to variables this way
/** Eggs as the panels export them, made from their documented schema. */

const STARTS = [
  './bin/GameServer --name "{{SERVER_NAME}}" --port {{SERVER_PORT}} --query {{QUERY_PORT}} --max {{MAX_PLAYERS}}',
  './game.x86_64 -batchmode -nographics -logFile - -port=${SERVER_PORT} -name="{{SERVER_NAME}}"',
  './srcds_run -game cstrike -console -port {{SERVER_PORT}} +map {{MAP}} +ip 0.0.0.0 -strictportbind',
  './Binaries/Linux/Server {{MAP}}?listen?Port={{SERVER_PORT}}?MaxPlayers={{MAX_PLAYERS}} -log',
  'java -Xms128M -Xmx{{SERVER_MEMORY}}M -jar {{SERVER_JARFILE}}',
  'node index.js --port {{server.build.default.port}}',
  "./start --motd 'It''s {{SERVER_NAME}}' {{EXTRA}}",
  './{{EXECUTABLE}} -p {{env.SERVER_PORT}}',
  'export LD_LIBRARY_PATH=./linux64; ./server -port {{SERVER_PORT}}',
  './server $( [[ {{PVP}} == 1 ]] && echo -pvp ) --port {{SERVER_PORT}} | tee log.txt',
  'rm -f x.log; (tail -f x.log &) ; ./server {{SERVER_NAME}} ${STARTUP_EXTRA}',
];
const STOPS = ['^C', 'stop', '/quit', '^^C', 'SIGTERM', ''];
const PARSERS: Record<string, object>[] = [
  {},
  {
    'server.properties': {
      parser: 'properties',
      find: { 'server-port': '{{server.build.default.port}}', 'max-players': 20 },
    },
  },
  {
    'config/config.json': {
      parser: 'json',
      find: { 'net.port': '{{server.build.default.port}}', name: '{{server.build.env.SERVER_NAME}}' },
    },
  },
  {
    'config.yml': {
      parser: 'yaml',
      find: {
        'listeners[0].host': '0.0.0.0:{{server.allocations.default.port}}',
        'servers.*.address': { 'regex:^x$': 'y' },
      },
    },
  },
  {
    'Engine.ini': {
      parser: 'ini',
      find: { '/Script/Engine.GameSession.MaxPlayers': '{{server.environment.MAX_PLAYERS}}' },
    },
  },
  { 'server.cfg': { parser: 'file', find: { 'set port': 'set port {{SERVER_PORT}}' } } },
  {
    'serverconfig.xml': {
      parser: 'xml',
      find: { "ServerSettings.property[@name='ServerPort']": "[value='{{SERVER_PORT}}']" },
    },
  },
  { '../outside.json': { parser: 'json', find: { a: 1 } }, 'odd.bin': { parser: 'binary', find: { a: 1 } } },
];
const DONES: unknown[] = [
  'Server startup complete',
  ')! For help, type ',
  ['listening on', 'regex:^Ready \\d+$'],
  '',
  undefined,
];
const RULES = [
  { env_variable: 'SERVER_NAME', default_value: 'A Server', rules: 'required|string|max:64', user_editable: true },
  { env_variable: 'QUERY_PORT', default_value: '27003', rules: 'required|numeric', user_editable: false },
  { env_variable: 'MAX_PLAYERS', default_value: '16', rules: 'required|int|between:1,64', user_editable: true },
  { env_variable: 'MAP', default_value: 'de_dust2', rules: 'required|regex:/^(\\w+|maps\\/\\w+)$/', user_editable: 1 },
  {
    env_variable: 'SERVER_JARFILE',
    default_value: 'server.jar',
    rules: 'required|regex:/^([\\w\\d._-]+)(\\.jar)$/',
    user_editable: true,
  },
  { env_variable: 'PVP', default_value: '1', rules: 'required|boolean', user_editable: '1' },
  { env_variable: 'DIFFICULTY', default_value: '0', rules: 'required|integer|in:0,1,-1', user_editable: true },
  { env_variable: 'EXTRA', default_value: '', rules: 'nullable|string', user_editable: true },
  { env_variable: 'EXECUTABLE', default_value: 'server', rules: 'required|string|in:server', user_editable: false },
  { env_variable: 'SRCDS_APPID', default_value: '565060', rules: 'required|string|in:565060', user_editable: false },
  {
    env_variable: 'ADMIN_PASSWORD',
    default_value: 'change me',
    rules: 'required|alpha_dash|min:20',
    user_editable: true,
  },
  { env_variable: 'ODD', default_value: 'not a number', rules: 'required|integer', user_editable: true },
  { env_variable: '2FA-CODE', default_value: 'two\nlines', rules: '', user_editable: false },
  { env_variable: 'LATE_PORT', default_value: '40000', rules: 'required|port', user_editable: false },
];
const STEAM =
  './steamcmd.sh +force_install_dir /mnt/server +login anonymous +app_update ${SRCDS_APPID} validate +quit\r\n';

/** Returns one of as many eggs as one likes, each a document for a panel of some version. */
export function someEgg(number: number): Record<string, unknown> {
  const pick = <T>(from: readonly T[], step: number): T => from[Math.floor(number / step) % from.length]!;
  const version = pick(['PTDL_v1', 'PTDL_v2', 'PLCN_v3'], 1);
  const start = pick(STARTS, 1);
  const asText = (value: unknown) => (version === 'PLCN_v3' ? value : JSON.stringify(value, null, 4));
  return {
    meta: { version },
    name: `Game ${number}: é`,
    description: number % 4 === 0 ? null : 'A game.',
    ...(version === 'PTDL_v1' && { image: 'quay.io/pterodactyl/core:source' }),
    ...(version !== 'PTDL_v1' && { docker_images: { 'Java 17': 'ghcr.io/pelican-eggs/yolks:java_17' } }),
    ...(version === 'PLCN_v3' ? { startup_commands: { Default: start, Other: 'x' } } : { startup: start }),
    config: {
      files: asText(pick(PARSERS, 2)),
      startup: asText({ done: pick(DONES, 3) }),
      logs: asText({}),
      stop: pick(STOPS, 1),
    },
    scripts: {
      installation: {
        script: number % 2 === 0 ? STEAM : '#!/bin/ash\ncurl https://example.org | sh',
        container: 'x',
        entrypoint: 'ash',
      },
    },
    variables: RULES.map((one) => ({
      ...{ name: `[X] ${one.env_variable}`, description: number % 3 === 0 ? '' : 'What it is.', user_viewable: true },
      ...one,
      ...(version === 'PLCN_v3' && {
        rules: one.rules.split('|').filter((rule) => !one.rules.includes('regex') && rule !== ''),
      }),
    })),
  };
}
