import type { Language } from '../../../../text/languages.ts';

/** What the values that a property may have are called; without an entry they go by their own names, as `lz4` does everywhere. */
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
    LEGACY: { en: 'Old, with an edge', de: 'Alt, mit Rand', zh: '旧版（有边界）' },
  },
  'default-player-permission-level': {
    visitor: { en: 'Visitor', de: 'Besucher', zh: '访客' },
    member: { en: 'Member', de: 'Mitglied', zh: '成员' },
    operator: { en: 'Operator', de: 'Operator', zh: 'OP' },
  },
  'chat-restriction': {
    None: { en: 'Free', de: 'Frei', zh: '自由聊天' },
    Dropped: { en: 'Sent to nobody', de: 'An niemanden zugestellt', zh: '消息不送达' },
    Disabled: { en: 'Hidden', de: 'Ausgeblendet', zh: '隐藏聊天' },
  },
  'content-log-level': {
    error: { en: 'Errors', de: 'Fehler', zh: '错误' },
    warning: { en: 'Warnings too', de: 'Auch Warnungen', zh: '警告及以上' },
    info: { en: 'Information too', de: 'Auch Hinweise', zh: '信息及以上' },
    verbose: { en: 'Everything', de: 'Alles', zh: '全部' },
  },
  'script-debugger-auto-attach': {
    disabled: { en: 'Never', de: 'Nie', zh: '从不' },
    connect: { en: 'The server connects to it', de: 'Der Server verbindet sich', zh: '服务器主动连接' },
    listen: { en: 'The server waits for it', de: 'Der Server wartet darauf', zh: '服务器等待连接' },
  },
};

/** What a value is called. */
export function choiceLabel(property: string, value: string, language: Language): string {
  return CHOICE_WORDS[property]?.[value]?.[language] ?? value;
}
