import { section } from '../../../../text/section.ts';

export const gamerulesText = section({
  en: {
    title: 'Game rules',
    hint: 'Changes apply at once, and the world keeps them.',
    stopped: 'Game rules are part of the world. Start the server to see and change them.',
    later: 'The game rules appear here as soon as the server runs.',
    start: 'Start server',
    none: 'This server does not report its game rules.',
    changed: '{rule}: {value}',
    on: 'on',
    off: 'off',
  },
  de: {
    title: 'Spielregeln',
    hint: 'Änderungen gelten sofort, und die Welt behält sie.',
    stopped: 'Spielregeln gehören zur Welt. Starten Sie den Server, um sie zu sehen und zu ändern.',
    later: 'Die Spielregeln erscheinen hier, sobald der Server läuft.',
    start: 'Server starten',
    none: 'Dieser Server nennt seine Spielregeln nicht.',
    changed: '{rule}: {value}',
    on: 'an',
    off: 'aus',
  },
  zh: {
    title: '游戏规则',
    hint: '更改立即生效，并保存在世界中。',
    stopped: '游戏规则属于世界。请启动服务器以查看和更改。',
    later: '服务器运行后，游戏规则会显示在这里。',
    start: '启动服务器',
    none: '此服务器未报告游戏规则。',
    changed: '{rule}：{value}',
    on: '开',
    off: '关',
  },
});
