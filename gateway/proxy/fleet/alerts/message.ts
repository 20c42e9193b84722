import { createHmac } from 'node:crypto';
import type { AlertKind } from './conditions.ts';
import type { AlertTarget } from './targets.ts';

/** Changes in one message; the others are counted. */
const MOST_CHANGES = 50;
/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
const MOST_DISCORD_CHARACTERS = 2_000;
const MARKDOWN = /[\\*_~`|>#[\]()<@:-]/g;

export interface AlertChange {
  state: 'firing' | 'resolved';
  kind: AlertKind | 'test';
  /** ISO time. */
  since: string;
  text: string;
  daemonId?: string;
  computer?: string;
  /** The id of a server. */
  instanceId?: string;
}

export interface AlertMessage {
  type: 'alerts';
  /** ISO time. */
  at: string;
  alerts: AlertChange[];
  /** Changes that did not fit. */
  more: number;
  /** The overview. */
  url: string;
}

export function messageOf(
  changes: readonly AlertChange[],
  { at, issuer }: { at: string; issuer: string },
): AlertMessage {
  const alerts = changes.slice(0, MOST_CHANGES);
  return { type: 'alerts', at, alerts, more: changes.length - alerts.length, url: `${issuer}/fleet` };
}

/** Returns the body and the headers of a request that delivers a message. `now` in milliseconds. */
export function requestOf(
  { kind, secret }: Pick<AlertTarget, 'kind' | 'secret'>,
  { id, message, now }: { id: string; message: AlertMessage; now: number },
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify(kind === 'discord' ? discordBody(message) : message);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Gamekeeper-Proxy' };
  return kind === 'discord'
    ? { body, headers }
    : { body, headers: { ...headers, ...signed(secret, { id, body, now }) } };
}

/** Standard Webhooks 1.0.0 (https://www.standardwebhooks.com): receivers can check who sent a message, and when. */
function signed(secret: string, { id, body, now }: { id: string; body: string; now: number }): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Names come from computers: they must neither mention anybody nor be formatted. */
function discordBody({ alerts, more, url }: AlertMessage): object {
  const lines = alerts.map(
    ({ state, text }) => `${state === 'firing' ? '🔴' : '🟢'} ${text.replace(MARKDOWN, '\\$&')}`,
  );
  let content = '';
  let left = more;
  const end = (count: number) => `${count > 0 ? `and ${count} more\n` : ''}<${url}>`;
  for (const [index, line] of lines.entries()) {
    if (content.length + line.length + end(more + lines.length).length + 1 > MOST_DISCORD_CHARACTERS) {
      left += lines.length - index;
      break;
    }
    content += `${line}\n`;
  }
  return { username: 'Gamekeeper', content: `${content}${end(left)}`, allowed_mentions: { parse: [] } };
}
