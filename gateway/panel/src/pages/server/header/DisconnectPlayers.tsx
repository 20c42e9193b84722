import { useSyncExternalStore } from 'react';
import type { Instance } from '../../../api/transport/client.ts';
import { section, useWords } from '../../../text/section.ts';
import { Confirm } from '../../../ui/dialog/Confirm.tsx';
import { serverName } from '../../../ui/display/server-name.ts';

const text = section({
  en: {
    stopTitle: 'Stop {name}?',
    restartTitle: 'Restart {name}?',
    stop: 'Stop',
    restart: 'Restart',
    one: '1 player is online and will be disconnected.',
    many: '{count} players are online and will be disconnected.',
  },
  de: {
    stopTitle: '{name} stoppen?',
    restartTitle: '{name} neu starten?',
    stop: 'Stoppen',
    restart: 'Neu starten',
    one: '1 Spieler ist online und verliert die Verbindung.',
    many: '{count} Spieler sind online und verlieren die Verbindung.',
  },
  zh: {
    stopTitle: '停止 {name}？',
    restartTitle: '重启 {name}？',
    stop: '停止',
    restart: '重启',
    one: '有 1 名玩家在线，其连接将断开。',
    many: '有 {count} 名玩家在线，其连接将断开。',
  },
});

interface Request {
  name: string;
  action: 'stop' | 'restart';
  players: number;
  run: () => Promise<unknown>;
}

let request: Request | undefined;
const listeners = new Set<() => void>();

function ask(next: Request | undefined): void {
  request = next;
  for (const listener of listeners) listener();
}

/** Runs a stop or restart: at once if nobody plays, else after `DisconnectPlayers` has asked. `onError` gets the error of the former. */
export function disconnecting(
  instance: Instance,
  action: 'stop' | 'restart',
  { run, onError }: { run: () => Promise<unknown>; onError: (error: unknown) => void },
): void {
  const { playersOnline = 0 } = instance;
  if (playersOnline > 0) ask({ name: serverName(instance), action, players: playersOnline, run });
  else run().catch(onError);
}

/** Asks before players are disconnected; on the page once. */
export function DisconnectPlayers() {
  const t = useWords(text);
  const asked = useSyncExternalStore(subscribe, () => request);
  if (!asked) return null;
  const { name, action, players, run } = asked;
  return (
    <Confirm
      opened
      onClose={() => ask(undefined)}
      title={t(`${action}Title`, { name })}
      action={t(action)}
      onConfirm={run}
    >
      {t(players === 1 ? 'one' : 'many', { count: players })}
    </Confirm>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
