import type { Language } from '../../../../text/languages.ts';

/** Names of property values. Values without an entry, such as `lz4`, show as they are. */
const CHOICE_WORDS: Readonly<Record<string, Readonly<Record<string, Record<Language, string>>>>> = {
  gamemode: {
    survival: { en: 'Survival', de: 'Überleben', zh: '生存模式' },
    creative: { en: 'Creative', de: 'Kreativ', zh: '创造模式' },
    adventure: { en: 'Adventure', de: 'Abenteuer', zh: '冒险模式' },
    spectator: { en: 'Spectator', de: 'Zuschauer', zh: '旁观模式' },
  },
  difficulty: {
    peaceful: { en: 'Peaceful', de: 'Friedlich', zh: '和平' },
    easy: { en: 'Easy', de: 'Einfach', zh: '简单' },
    normal: { en: 'Normal', de: 'Normal', zh: '普通' },
    hard: { en: 'Hard', de: 'Schwer', zh: '困难' },
  },
  'level-type': {
    DEFAULT: { en: 'Default', de: 'Standard', zh: '默认' },
    FLAT: { en: 'Flat', de: 'Flachland', zh: '超平坦' },
    LEGACY: { en: 'Old (limited size)', de: 'Alt (begrenzte Größe)', zh: '旧版（大小有限）' },
  },
  'default-player-permission-level': {
    visitor: { en: 'Visitor', de: 'Besucher', zh: '访客' },
    member: { en: 'Member', de: 'Mitglied', zh: '成员' },
    operator: { en: 'Operator', de: 'Operator', zh: 'OP' },
  },
  'chat-restriction': {
    None: { en: 'Enabled', de: 'Aktiviert', zh: '启用' },
    Dropped: { en: 'Not delivered', de: 'Nicht zugestellt', zh: '不送达' },
    Disabled: { en: 'Hidden', de: 'Ausgeblendet', zh: '隐藏' },
  },
  'content-log-level': {
    error: { en: 'Errors', de: 'Fehler', zh: '错误' },
    warning: { en: 'Warnings and errors', de: 'Warnungen und Fehler', zh: '警告和错误' },
    info: { en: 'Information, warnings and errors', de: 'Hinweise, Warnungen und Fehler', zh: '信息、警告和错误' },
    verbose: { en: 'Everything', de: 'Alles', zh: '全部' },
  },
  'script-debugger-auto-attach': {
    disabled: { en: 'Never', de: 'Nie', zh: '从不' },
    connect: { en: 'Connect to it', de: 'Verbindung aufbauen', zh: '主动连接' },
    listen: { en: 'Wait for it', de: 'Auf Verbindung warten', zh: '等待连接' },
  },
};

export function choiceLabel(property: string, value: string, language: Language): string {
  return CHOICE_WORDS[property]?.[value]?.[language] ?? value;
}
