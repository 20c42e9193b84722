#!/usr/bin/env node
/** The `gamekeeper` command of the image, which contains only the proxy. */
const PROXY = '/app/dist/gateway/proxy/main.js';
const [, , command] = process.argv;
if (command !== 'proxy') {
  process.stderr.write('This image contains only the proxy. Use: gamekeeper proxy --help\n');
  process.exit(2);
}
process.argv.splice(2, 1);
await import(PROXY);
