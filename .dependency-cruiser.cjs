/**
 * Who may import whom (dependency-cruiser, part of `npm run check`). Rooms are top-level folders; docs/architecture.md shows the processes.
 *
 * @type {(name: string, comment: string, from: object, to: object) => object}
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** A package behind one wrapper: at most one file of the product may import it. */
const onlyOneFile = (name, comment) => ({
  name: `${name}-in-one-file`,
  comment,
  severity: 'error',
  from: { pathNot: '^(test|packaging)/' },
  module: { path: `^node_modules/(@types/)?${name}/`, numberOfDependentsMoreThan: 1 },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule('no-circular', 'A cycle means two files are one idea or a missing third file.', {}, { circular: true }),
    rule(
      'no-unresolvable',
      'Typo or missing dependency. (test/real is a package of its own; the generated client is made by its test.)',
      { pathNot: '^test/(real|fixtures/generated-client)/' },
      { couldNotResolve: true },
    ),

    rule(
      'shared-is-a-leaf',
      'shared/ knows nobody.',
      { path: '^shared/' },
      { path: '^(daemon|workers|gateway|test|packaging)/' },
    ),
    rule(
      'gateway-speaks-contract',
      'Reach workers and daemon over IPC.',
      { path: '^gateway/' },
      { path: '^(daemon|workers)/' },
    ),
    rule('workers-speak-contract', 'Workers never call up.', { path: '^workers/' }, { path: '^(daemon|gateway)/' }),
    rule(
      'daemon-spawns-by-path',
      'The daemon forks entry points; it does not load their code.',
      { path: '^daemon/' },
      { path: '^(workers|gateway)/' },
    ),
    rule(
      'worker-kinds-are-strangers',
      'supervisor, jobs, pool and demo do not share code.',
      { path: '^workers/([^/]+)/' },
      { path: '^workers/', pathNot: ['^workers/$1/', '^workers/pool/(task-types|progress)[.]ts$'] },
    ),

    rule(
      'rooms-know-no-composition',
      'compose.ts, service.ts and their like put the rooms together; no room asks for the whole.',
      { path: '^(daemon|workers/(supervisor|jobs))/[^/]+/', pathNot: '^daemon/cli/' },
      {
        path: '^(daemon|workers/(supervisor|jobs))/[^/]+[.]ts$',
        pathNot: '^workers/supervisor/(upstream|instance-settings)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'terminal-knows-only-bytes',
      'Bytes become lines before anything else happens to them.',
      { path: '^workers/supervisor/console/terminal/' },
      {
        path: '^(workers|shared)/',
        pathNot: '^(workers/supervisor/console/terminal/|shared/domain/console/invisible-characters.ts$)',
      },
    ),
    rule(
      'redaction-knows-no-log',
      'What hides secrets does not know where lines are kept.',
      { path: '^workers/supervisor/console/redaction/' },
      { path: '^workers/', pathNot: '^workers/supervisor/console/(redaction|terminal)/' },
    ),
    rule(
      'log-gets-redacted-lines',
      'What is kept was redacted before.',
      { path: '^workers/supervisor/console/log/' },
      { path: '^workers/supervisor/console/(redaction|terminal)/' },
    ),

    rule(
      'contract-is-pure',
      'Domain words run in a browser too.',
      { path: '^shared/(contract|domain|schema|errors)/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'pure-shared-not-to-node',
      'Same, transitively.',
      { path: '^shared/(contract|domain|schema|errors)/' },
      { path: '^shared/node/' },
    ),
    rule(
      'domain-knows-only-domain',
      'Words before wires.',
      { path: '^shared/domain/' },
      { path: '^shared/', pathNot: '^shared/domain/' },
    ),

    rule(
      'panel-is-browser-code',
      'Panel sees wire schemas only. (How it is built runs on Node.)',
      { path: '^gateway/panel/', pathNot: '^gateway/panel/vite[.]config[.]ts$' },
      { pathNot: ['^gateway/panel/', '^shared/(domain|schema|errors)/', 'node_modules'] },
    ),
    rule(
      'server-not-to-panel',
      'The panel is an asset, not a module.',
      { path: '^(gateway|daemon|workers)/', pathNot: '^gateway/panel/' },
      { path: '^gateway/panel/' },
    ),
    rule(
      'proxy-stands-alone',
      'Another machine, another trust domain.',
      { path: '^gateway/proxy/' },
      {
        path: '^(gateway|shared)/',
        pathNot: ['^gateway/(proxy|http)/', '^shared/(domain|schema|errors|node)/'],
      },
    ),
    rule(
      'nobody-needs-proxy',
      'The local product runs without it.',
      { pathNot: '^(gateway/proxy|test)/' },
      { path: '^gateway/proxy/' },
    ),
    rule(
      'rest-families-are-strangers',
      'Resources and sessions share services and parameters, not routes.',
      { path: '^gateway/rest/([^/]+)/' },
      { path: '^gateway/rest/', pathNot: '^gateway/rest/($1/|(parameters|respond-async)[.]ts$)' },
    ),
    rule(
      'routes-go-through-services',
      'No IPC client in a route.',
      { path: '^gateway/(rest|console)/' },
      { path: '^gateway/upstream/|^shared/contract/' },
    ),
    rule(
      'only-upstream-speaks-contract',
      'One door to the other processes.',
      { path: '^gateway/', pathNot: '^gateway/(upstream/|main[.]ts)' },
      { path: '^shared/contract/' },
    ),

    // npm installs the alias node-pty -> @lydell/node-pty under its own name, with the platform's part beside it.
    rule(
      'node-pty-in-one-file',
      'Native module behind one wrapper.',
      { pathNot: '^(workers/supervisor/process/pty[.]ts$|test/)' },
      { path: '^node_modules/(node-pty|@lydell/node-pty[^/]*)/' },
    ),
    rule(
      'piscina-in-one-file',
      'Pool behind one wrapper.',
      { pathNot: '^(workers/jobs/resources/pool[.]ts$|test/)' },
      { path: '^node_modules/piscina/' },
    ),
    onlyOneFile('rcon-client', "Its quirks (first packet wins, endless loop on a bad length) are one file's concern."),
    onlyOneFile('archiver', 'One way to write an archive.'),
    rule(
      'supervisor-is-small',
      'One supervisor per game server: each of these packages would cost it megabytes. (The build checks the whole bundle.)',
      { path: '^workers/supervisor/' },
      { path: '^node_modules/(zod|pino)/', dependencyTypesNot: ['type-only'] },
    ),

    rule('not-to-test', 'Product code never imports tests.', { pathNot: '^(test|packaging)/' }, { path: '^test/' }),
    rule(
      'not-to-packaging',
      'What builds the product is no part of it; the command line of a checkout may ask for a build.',
      { pathNot: '^(test|packaging)/|^daemon/cli/gamekeeper[.]js$' },
      { path: '^packaging/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|test/real/node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
