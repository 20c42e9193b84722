import { type Html, html } from '../../../../shared/node/html.ts';
import type { Passkey } from '../../accounts/passkeys/passkeys.ts';
import { timeOf } from '../page.ts';
import { button, linkButton, list, row } from '../rows.ts';

export interface SigningIn {
  hasPassword: boolean;
  hasSecondFactor: boolean;
  passkeys: readonly Passkey[];
  /** Why this proxy has no passkeys. */
  noPasskeys?: string;
  providers: readonly ProviderRow[];
}

export interface ProviderRow {
  id: string;
  name: string;
  /** Absent if it is not connected. */
  connected?: { label: string; connectedAt: Date };
}

/** The ways in which the person can sign in. */
export function signingInSection({ hasPassword, hasSecondFactor, passkeys, noPasskeys, providers }: SigningIn): Html {
  const rows = [
    row(
      html`<p><strong>Password</strong></p><p class="dim">${hasPassword ? 'set' : 'none: you sign in without one'}</p>`,
      linkButton('/account/password', hasPassword ? 'Change' : 'Set', 'plain', 'Password'),
    ),
    ...(hasPassword ? [secondFactorRow(hasSecondFactor)] : []),
    ...passkeys.map(passkeyRow),
    ...providers.map(providerRow),
  ];
  const add =
    noPasskeys === undefined
      ? html`<p class="add">${linkButton('/account/passkeys/add', 'Add a passkey')}</p>`
      : html`<p class="dim">${noPasskeys}</p>`;
  return html`<h2>Signing in</h2>${list(rows, html``)}${add}`;
}

function secondFactorRow(isOn: boolean): Html {
  return row(
    html`<p><strong>Authenticator app</strong></p><p class="dim">${isOn ? 'on: your password needs a code too' : 'off'}</p>`,
    linkButton('/account/second-factor', isOn ? 'Turn off' : 'Set up', 'plain', 'Authenticator app'),
  );
}

function passkeyRow({ id, name, addedAt, usedAt, isForeign }: Passkey): Html {
  const used = isForeign
    ? html`made for another address of this proxy, so it no longer works`
    : usedAt === undefined
      ? html`not used yet`
      : html`last used ${timeOf(usedAt)}`;
  return row(
    html`<p><strong>Passkey: ${name}</strong></p><p class="dim">${used} &middot; added ${timeOf(addedAt)}</p>`,
    linkButton(`/account/passkeys/${id}/remove`, 'Remove', 'danger', name),
  );
}

function providerRow({ id, name, connected }: ProviderRow): Html {
  if (!connected)
    return row(
      html`<p><strong>${name}</strong></p><p class="dim">not connected</p>`,
      button(`/account/providers/${id}/connect`, 'Connect', 'plain', name),
    );
  return row(
    html`<p><strong>${name}: ${connected.label}</strong></p><p class="dim">connected ${timeOf(connected.connectedAt)}</p>`,
    linkButton(`/account/providers/${id}/remove`, 'Disconnect', 'danger', name),
  );
}
