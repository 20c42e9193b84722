import { section } from '../../../text/section.ts';

export const changeSoftwareText = section({
  en: {
    heading: 'Change the software',
    hint: 'This server runs {title}. It can change to other software that reads its world.',
    stopFirst: 'This server runs {title}. Stop it to change its software.',
    to: 'New software',
    version: 'Version of the new software',
    versionHint: 'There is no {to} {version}. A version that is older than the world can damage it.',
    warning: 'World and settings stay. The next start installs the new program. Make a backup first.',
    minecraft:
      'Mods and plugins stay in their folders, but run only with software for which they are made. Without its mods a world loses their blocks. After Paper, Purpur or Folia, other software may not find the Nether and the End.',
    backup: 'Go to the backups',
    change: 'Change the software',
    title: 'Change {name} to {to}?',
    confirm: 'The server will no longer run {from}. If the change damages the world, only a backup can bring it back.',
    changed: 'Changed to {to}. The next start installs it.',
  },
  de: {
    heading: 'Software wechseln',
    hint: 'Dieser Server verwendet {title}. Er kann zu anderer Software wechseln, die seine Welt lesen kann.',
    stopFirst: 'Dieser Server verwendet {title}. Stoppen Sie ihn, um die Software zu wechseln.',
    to: 'Neue Software',
    version: 'Version der neuen Software',
    versionHint: '{to} {version} gibt es nicht. Eine ältere Version als die der Welt kann sie beschädigen.',
    warning:
      'Welt und Einstellungen bleiben. Der nächste Start installiert das neue Programm. Machen Sie vorher eine Sicherung.',
    minecraft:
      'Mods und Plugins bleiben in ihren Ordnern, laufen aber nur mit Software, für die sie gemacht sind. Ohne ihre Mods verliert eine Welt deren Blöcke. Nach Paper, Purpur oder Folia findet andere Software den Nether und das Ende womöglich nicht.',
    backup: 'Zu den Sicherungen',
    change: 'Software wechseln',
    title: '{name} auf {to} umstellen?',
    confirm:
      'Der Server verwendet danach nicht mehr {from}. Beschädigt der Wechsel die Welt, hilft nur eine Sicherung.',
    changed: 'Auf {to} umgestellt. Der nächste Start installiert es.',
  },
  zh: {
    heading: '更换软件',
    hint: '此服务器运行 {title}。可以更换为能读取其世界的其他软件。',
    stopFirst: '此服务器运行 {title}。请先停止再更换软件。',
    to: '新软件',
    version: '新软件的版本',
    versionHint: '没有 {to} {version}。比世界更旧的版本可能会损坏世界。',
    warning: '世界和设置保留。下次启动会安装新程序。请先备份。',
    minecraft:
      '模组和插件保留在其文件夹中，但只能在与之匹配的软件上运行。缺少模组时，世界会失去其中的方块。使用过 Paper、Purpur 或 Folia 后，其他软件可能找不到下界和末地。',
    backup: '前往备份',
    change: '更换软件',
    title: '将 {name} 更换为 {to}？',
    confirm: '它将不再运行 {from}。如果之后世界出现问题，只有备份可以恢复。',
    changed: '已更换为 {to}。下次启动时安装。',
  },
});
