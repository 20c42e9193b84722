/** GitHub and Discord, as their documentation describes them (the addresses are in written-providers.ts). */
import t, { type Test } from 'tap';
import type { ProviderId } from '../../../../../gateway/proxy/accounts/providers/provider-config.ts';
import { createProviders } from '../../../../../gateway/proxy/accounts/providers/providers.ts';
import { discord, github } from '../../../../../gateway/proxy/accounts/providers/written-providers.ts';
import {
  type ProviderBehaviour,
  type ProviderStandIn,
  startProviderStandIn,
} from '../../../../support/proxy/provider-stand-in.ts';

const ISSUER = 'https://play.example.net';
const CHECKS = { nonce: 'n'.repeat(43), state: 's'.repeat(43) };

const GITHUB: ProviderBehaviour = {
  authorize: '/login/oauth/authorize',
  token: '/login/oauth/access_token',
  user: '/user',
  person: { id: 583231, login: 'octocat', email: 'octocat@github.com', type: 'User' },
  // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
  wrongCode: { status: 200, body: { error: 'bad_verification_code', error_description: 'The code is incorrect.' } },
  needsAccept: true,
};
const DISCORD: ProviderBehaviour = {
  authorize: '/oauth2/authorize',
  token: '/api/oauth2/token',
  user: '/api/v10/users/@me',
  person: { id: '80351110224678912', username: 'nelly', discriminator: '0', global_name: 'Nelly' },
  wrongCode: { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' } },
};

function providerAt(id: ProviderId, standIn: ProviderStandIn) {
  const { url } = standIn;
  const [provider] = createProviders({
    issuer: ISSUER,
    configs: [{ id, name: id, clientId: 'id', clientSecret: 'secret' }],
    written: { github: github({ web: url, api: url }), discord: discord({ base: url }) },
  });
  if (!provider) throw new Error('no provider');
  return provider;
}

async function signIn(id: ProviderId, standIn: ProviderStandIn) {
  const provider = providerAt(id, standIn);
  const checks = { ...CHECKS, verifier: await provider.newVerifier() };
  const url = await provider.begin(checks, false);
  return { provider, checks, url, callback: standIn.allow(url) };
}

async function works(t: Test, id: ProviderId, behaviour: ProviderBehaviour) {
  const standIn = await startProviderStandIn(t, behaviour);
  const { provider, checks, url, callback } = await signIn(id, standIn);
  t.equal(url.searchParams.get('redirect_uri'), `${ISSUER}/providers/${id}/callback`);
  const identity = await provider.finish(callback, checks);
  await t.rejects(provider.finish(callback, checks), 'the code was used');
  const [first, second] = [await signIn(id, standIn), await signIn(id, standIn)];
  await t.rejects(first.provider.finish(second.callback, { ...first.checks, verifier: 'x'.repeat(43) }));
  await t.rejects(second.provider.finish(second.callback, { ...second.checks, state: 'another' }));
  return { url, identity, standIn };
}

t.test('GitHub: the number counts, not the name', async (t) => {
  const { url, identity, standIn } = await works(t, 'github', GITHUB);
  t.same(identity, { subject: '583231', label: 'octocat' });
  t.equal(url.searchParams.get('scope'), null, 'asks for nothing but the name');
  t.ok(standIn.asked()?.['user-agent'], 'GitHub refuses requests without one');
  for (const person of [{}, { id: '583231', login: 'octocat' }, { id: 1.5, login: 'x' }, { login: 'x' }, []]) {
    const other = await startProviderStandIn(t, { ...GITHUB, person });
    const { provider, checks, callback } = await signIn('github', other);
    await t.rejects(provider.finish(callback, checks), /does not say who it was/, JSON.stringify(person));
  }
});

t.test('Discord: the snowflake counts, not the name', async (t) => {
  const { url, identity } = await works(t, 'discord', DISCORD);
  t.same(identity, { subject: '80351110224678912', label: 'nelly' });
  t.equal(url.searchParams.get('scope'), 'identify');
  for (const person of [{}, { id: 'x', username: 'x' }, { ...DISCORD.person, bot: true }]) {
    const other = await startProviderStandIn(t, { ...DISCORD, person });
    const { provider, checks, callback } = await signIn('discord', other);
    await t.rejects(provider.finish(callback, checks), /does not say who it was/, JSON.stringify(person));
  }
});

t.test('the real addresses', async (t) => {
  t.match(github(), {
    metadata: { token_endpoint: 'https://github.com/login/oauth/access_token' },
    userUrl: 'https://api.github.com/user',
  });
  t.match(discord(), {
    metadata: { authorization_endpoint: 'https://discord.com/oauth2/authorize' },
    userUrl: 'https://discord.com/api/v10/users/@me',
  });
});
