import { section } from '../../../text/section.ts';

export const programText = section({
  en: {
    command: 'Start command',
    commandHint:
      'The program and its arguments, without a shell. Put quotes around what contains spaces. {port} is replaced by the port.',
    quote: 'A quote is not closed.',
    stopCommand: 'Stop command',
    stopCommandHint: 'What is typed into its console to stop it; ^C for Ctrl+C. Empty: stop.',
    udp: 'Players connect over UDP',
  },
  de: {
    command: 'Startbefehl',
    commandHint:
      'Das Programm und seine Argumente, ohne Shell. Was Leerzeichen enthält, kommt in Anführungszeichen. {port} wird durch den Port ersetzt.',
    quote: 'Ein Anführungszeichen ist nicht geschlossen.',
    stopCommand: 'Stoppbefehl',
    stopCommandHint: 'Was zum Stoppen in die Konsole getippt wird; ^C für Strg+C. Leer: stop.',
    udp: 'Spieler verbinden sich über UDP',
  },
  zh: {
    command: '启动命令',
    commandHint: '程序及其参数，不经过 shell。含空格的内容请加引号。{port} 会替换为端口。',
    quote: '有引号没有闭合。',
    stopCommand: '停止命令',
    stopCommandHint: '停止时在控制台输入的内容；^C 表示 Ctrl+C。留空：stop。',
    udp: '玩家通过 UDP 连接',
  },
});
