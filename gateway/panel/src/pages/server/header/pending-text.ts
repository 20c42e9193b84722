import { section } from '../../../text/section.ts';

export const pendingText = section({
  en: {
    afterRestart: 'After restart: {value}',
    needed: 'Restart needed: {settings}.',
    more: '{count} more',
    now: 'Restart now',
    whenEmpty: 'When nobody is online',
    waits: 'The server restarts when nobody is online.',
    cancel: 'Cancel',
    port: 'Port {name}',
    transport: 'Protocol',
  },
  de: {
    afterRestart: 'Nach dem Neustart: {value}',
    needed: 'Neustart nötig: {settings}.',
    more: '{count} weitere',
    now: 'Jetzt neu starten',
    whenEmpty: 'Wenn niemand online ist',
    waits: 'Der Server startet neu, wenn niemand online ist.',
    cancel: 'Abbrechen',
    port: 'Port {name}',
    transport: 'Protokoll',
  },
  zh: {
    afterRestart: '重启后：{value}',
    needed: '需要重启：{settings}。',
    more: '另外 {count} 项',
    now: '立即重启',
    whenEmpty: '无人在线时重启',
    waits: '无人在线时，服务器将重启。',
    cancel: '取消',
    port: '端口 {name}',
    transport: '协议',
  },
});
