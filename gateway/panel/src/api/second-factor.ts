import { api, dataOf, type Schemas } from './transport/client.ts';

/** Returns a new key, which takes effect with `confirmTotp`. */
export async function beginTotp(password: string): Promise<Schemas['TotpBegun']> {
  return (await dataOf(api.POST('/api/totp', { body: { password } }))) as Schemas['TotpBegun'];
}

export async function confirmTotp(code: string): Promise<readonly string[]> {
  const answer = await dataOf(api.POST('/api/totp', { body: { code } }));
  return (answer as Schemas['RecoveryCodes']).recoveryCodes;
}

export async function newRecoveryCodes(password: string): Promise<readonly string[]> {
  return (await dataOf(api.POST('/api/recovery-codes', { body: { password } }))).recoveryCodes;
}

export async function turnTotpOff(password: string): Promise<void> {
  await api.DELETE('/api/totp', { body: { password } });
}
