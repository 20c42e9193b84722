import { section } from '../../../text/section.ts';

export const sftpText = section({
  en: {
    title: 'SFTP',
    hint: 'Users can reach the files of their servers with programs such as FileZilla, WinSCP or rclone. They sign in as in the panel.',
    enabled: 'Allow SFTP',
    host: 'SFTP address',
    hostHint: '127.0.0.1: only this machine. 0.0.0.0: all networks.',
    port: 'SFTP port',
    portHint: '0: any free port.',
    connect: 'Connect with this command, or enter the same values in your program:',
    fingerprint: 'When you connect for the first time, your program shows a fingerprint. It must match this one:',
  },
  de: {
    title: 'SFTP',
    hint: 'Benutzer können die Dateien ihrer Server mit Programmen wie FileZilla, WinSCP oder rclone erreichen. Sie melden sich wie in der Oberfläche an.',
    enabled: 'SFTP erlauben',
    host: 'Adresse für SFTP',
    hostHint: '127.0.0.1: nur dieser Rechner. 0.0.0.0: alle Netze.',
    port: 'Port für SFTP',
    portHint: '0: ein beliebiger freier Port.',
    connect: 'Verbinden Sie sich mit diesem Befehl, oder geben Sie dieselben Werte in Ihrem Programm ein:',
    fingerprint: 'Beim ersten Verbinden zeigt Ihr Programm einen Fingerabdruck. Er muss so lauten:',
  },
  zh: {
    title: 'SFTP',
    hint: '用户可以用 FileZilla、WinSCP 或 rclone 等程序访问其服务器的文件，登录方式与面板相同。',
    enabled: '允许 SFTP',
    host: 'SFTP 地址',
    hostHint: '127.0.0.1：仅限本机。0.0.0.0：所有网络。',
    port: 'SFTP 端口',
    portHint: '0：任意空闲端口。',
    connect: '使用以下命令连接，或在您的程序中填写相同的值：',
    fingerprint: '首次连接时，程序会显示指纹，必须与此一致：',
  },
});
