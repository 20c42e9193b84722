import type { WordsByProperty } from './words-by-property.ts';

/** The management protocol of Minecraft: Java Edition, for programs that look after the server. */
export const managementWords: WordsByProperty = {
  'management-server-enabled': {
    group: 'network',
    en: ['Management protocol', 'Lets programs look after the server, besides RCON.'],
    de: ['Verwaltungsprotokoll', 'Damit können Programme den Server verwalten, neben RCON.'],
    zh: ['管理协议', '允许程序管理服务器（RCON 之外的方式）。'],
  },
  'management-server-host': {
    group: 'network',
    en: ['Management address', 'localhost: only programs on this machine.'],
    de: ['Adresse der Verwaltung', 'localhost: nur Programme auf diesem Rechner.'],
    zh: ['管理协议地址', 'localhost 表示仅限本机程序。'],
  },
  'management-server-port': {
    group: 'network',
    en: ['Management port', 'TCP port of the management protocol; 0: any free one.'],
    de: ['Port der Verwaltung', 'TCP-Port des Verwaltungsprotokolls; 0: ein beliebiger freier.'],
    zh: ['管理协议端口', 'TCP 端口；0 表示任意空闲端口。'],
  },
  'management-server-secret': {
    group: 'network',
    en: ['Management secret', 'Programs sign in with it. Empty: the server makes one.'],
    de: ['Schlüssel der Verwaltung', 'Damit melden sich Programme an. Leer: Der Server erzeugt einen.'],
    zh: ['管理协议密钥', '程序登录时使用。留空则由服务器生成。'],
  },
  'management-server-allowed-origins': {
    group: 'network',
    en: ['Web pages that may manage', 'Origins such as https://panel.example.org, separated by commas.'],
    de: ['Webseiten, die verwalten dürfen', 'Ursprünge wie https://panel.example.org, durch Kommas getrennt.'],
    zh: ['允许管理的网页来源', '例如 https://panel.example.org，用英文逗号分隔。'],
  },
  'management-server-tls-enabled': {
    group: 'network',
    en: ['Management over TLS', 'Encrypts the management protocol; needs a keystore.'],
    de: ['Verwaltung über TLS', 'Verschlüsselt das Verwaltungsprotokoll; braucht einen Keystore.'],
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
    de: ['Passwort des Keystores', 'Passwort des Keystores der Verwaltung.'],
    zh: ['密钥库密码', '管理协议密钥库的密码。'],
  },
  'status-heartbeat-interval': {
    group: 'network',
    en: ['Heartbeat', 'Seconds between signs of life over the management protocol; 0: none.'],
    de: ['Lebenszeichen', 'Sekunden zwischen Lebenszeichen über das Verwaltungsprotokoll; 0: keine.'],
    zh: ['心跳间隔', '通过管理协议发送心跳的间隔秒数；0 表示不发送。'],
  },
};
