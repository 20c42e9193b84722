import type { WordsByProperty } from './words-by-property.ts';

/** The management protocol of Minecraft: Java Edition (minecraft.wiki, "Minecraft Server Management Protocol"). */
export const managementWords: WordsByProperty = {
  'management-server-enabled': {
    group: 'network',
    en: ['Management protocol', 'Lets programs manage the server, in addition to RCON.'],
    de: ['Verwaltungsprotokoll', 'Programme können den Server damit verwalten, zusätzlich zu RCON.'],
    zh: ['管理协议', '允许程序管理服务器，作为 RCON 的补充。'],
  },
  'management-server-host': {
    group: 'network',
    en: ['Management address', 'localhost: only programs on this machine.'],
    de: ['Adresse der Verwaltung', 'localhost: nur Programme auf diesem Rechner.'],
    zh: ['管理协议地址', 'localhost：仅限本机程序。'],
  },
  'management-server-port': {
    group: 'network',
    en: ['Management port', 'TCP port of the management protocol. 0: any free port.'],
    de: ['Port der Verwaltung', 'TCP-Port des Verwaltungsprotokolls. 0: ein beliebiger freier Port.'],
    zh: ['管理协议端口', '管理协议的 TCP 端口。0：任意空闲端口。'],
  },
  'management-server-secret': {
    group: 'network',
    en: ['Management secret', 'Programs sign in with it. Empty: the server generates one.'],
    de: ['Schlüssel der Verwaltung', 'Damit melden sich Programme an. Leer: Der Server erzeugt einen.'],
    zh: ['管理协议密钥', '程序用它登录。留空：由服务器生成。'],
  },
  'management-server-allowed-origins': {
    group: 'network',
    en: ['Allowed management origins', 'Websites such as https://panel.example.org, separated by commas.'],
    de: ['Erlaubte Ursprünge der Verwaltung', 'Websites wie https://panel.example.org, durch Kommas getrennt.'],
    zh: ['管理协议允许的来源', '网站，例如 https://panel.example.org，用英文逗号分隔。'],
  },
  'management-server-tls-enabled': {
    group: 'network',
    en: ['Management over TLS', 'Encrypts the management protocol. Needs a keystore.'],
    de: ['Verwaltung über TLS', 'Verschlüsselt das Verwaltungsprotokoll. Braucht einen Keystore.'],
    zh: ['管理协议使用 TLS', '加密管理协议，需要密钥库。'],
  },
  'management-server-tls-keystore': {
    group: 'network',
    en: ['Management keystore', 'PKCS12 file with the certificate.'],
    de: ['Keystore der Verwaltung', 'PKCS12-Datei mit dem Zertifikat.'],
    zh: ['管理协议密钥库', '包含证书的 PKCS12 文件。'],
  },
  'management-server-tls-keystore-password': {
    group: 'network',
    en: ['Keystore password', 'Password of the management keystore.'],
    de: ['Passwort des Keystores', 'Passwort für den Keystore der Verwaltung.'],
    zh: ['密钥库密码', '管理协议密钥库的密码。'],
  },
  'status-heartbeat-interval': {
    group: 'network',
    en: ['Heartbeat', 'Seconds between heartbeats over the management protocol. 0: none.'],
    de: ['Heartbeat', 'Sekunden zwischen Heartbeats über das Verwaltungsprotokoll. 0: keine.'],
    zh: ['心跳间隔', '通过管理协议发送心跳的间隔秒数。0：不发送。'],
  },
};
