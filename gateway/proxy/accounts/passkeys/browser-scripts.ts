import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

/** They change with the version of Gamekeeper only. */
const AGE_S = 3600;

/**
 * Buttons with `data-passkey`: asks that address for options, has the browser make or use a passkey, and sends the form with the result. The
 * buttons are hidden in browsers without passkeys, and without script.
 */
const PASSKEYS_SCRIPT = `
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;

/** Browsers bind passkeys to a host name, never to an IP address. */
const hasName = !/^[0-9.]+$|^\\[/.test(location.hostname);

if (hasName && browserSupportsWebAuthn())
  for (const part of document.querySelectorAll('[data-needs-passkeys]')) part.hidden = false;
else
  for (const part of document.querySelectorAll('[data-lacks-passkeys]')) part.hidden = false;

for (const button of document.querySelectorAll('button[data-passkey]'))
  button.addEventListener('click', () => void use(button));

async function use(button) {
  const { form } = button;
  const name = form.elements.namedItem('name');
  const problem = form.querySelector('[data-problem]');
  const creates = button.dataset.ceremony === 'create';
  problem.hidden = true;
  if (creates && name && !name.reportValidity()) return;
  button.disabled = true;
  try {
    const optionsJSON = await optionsFrom(button.dataset.passkey, name?.value ?? '');
    const made = await (creates ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON }));
    form.elements.namedItem('passkey').value = JSON.stringify(made);
    form.submit();
  } catch (error) {
    problem.textContent = explain(error);
    problem.hidden = false;
  } finally {
    button.disabled = false;
  }
}

async function optionsFrom(address, name) {
  const response = await fetch(address, { method: 'POST', body: new URLSearchParams({ name }) });
  const body = await response.json();
  if (response.ok) return body;
  throw new Error(body.detail + ' ' + (body.resolution ?? ''));
}

/** The names are those of https://www.w3.org/TR/webauthn-3/#sctn-op-create-exceptions. */
function explain(error) {
  if (error.name === 'NotAllowedError' || error.name === 'AbortError')
    return 'Nothing happened: it was cancelled or took too long. Try again.';
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account, so you can just use that one.';
  return error.message;
}
`;

/** Serves the script above, and @simplewebauthn/browser as a file of its package. */
export async function passkeyScripts(app: FastifyInstance): Promise<void> {
  const require = createRequire(import.meta.url);
  const packageFile = require.resolve('@simplewebauthn/browser');
  const library = await readFile(path.join(path.dirname(packageFile), '../dist/bundle/index.umd.min.js'), 'utf8');
  for (const [file, script] of [
    ['simplewebauthn.js', library],
    ['passkeys.js', PASSKEYS_SCRIPT],
  ] as const)
    app.get(`/assets/${file}`, (_request, reply) =>
      reply
        .headers({ 'cache-control': `max-age=${AGE_S}`, 'x-content-type-options': 'nosniff' })
        .type('text/javascript; charset=utf-8')
        .send(script),
    );
}
