import { page } from './html.ts';

/** What is served under `/ui/`: what this is, and the ways to use it. */
export function welcomePage(): string {
  return page(
    'Gamekeeper',
    `<h1>Gamekeeper is running</h1>
<p>Gamekeeper runs game servers on this machine and answers to programs. Use it from the command line or over its API:</p>
<pre>npx gamekeeper create --software demo --name Demo
npx gamekeeper start demo
npx gamekeeper console demo
npx gamekeeper backup demo
npx gamekeeper list</pre>
<p>The API: <a href="/docs">all operations</a>, <a href="/docs/errors">all errors</a>, <a href="/openapi.json">OpenAPI document</a>.
For a program, make a token with <code>npx gamekeeper token create --name my-bot</code> and send it as
<code>Authorization: Bearer ...</code>.</p>`,
  );
}
