import { section } from '../../../text/section.ts';

export const variablesText = section({
  en: {
    between: 'From {min} to {max}.',
    atLeast: 'At least {min}.',
    atMost: 'At most {max}.',
    pattern: 'Must match {pattern}.',
    usual: 'Default: {value}.',
    adminOnly: 'Only administrators can change this.',
    kept: 'Set. Type to replace it.',
  },
  de: {
    between: 'Von {min} bis {max}.',
    atLeast: 'Mindestens {min}.',
    atMost: 'Höchstens {max}.',
    pattern: 'Muss {pattern} entsprechen.',
    usual: 'Standard: {value}.',
    adminOnly: 'Nur Administratoren können das ändern.',
    kept: 'Gesetzt. Zum Ersetzen eingeben.',
  },
  zh: {
    between: '{min} 到 {max}。',
    atLeast: '至少 {min}。',
    atMost: '最多 {max}。',
    pattern: '必须匹配 {pattern}。',
    usual: '默认：{value}。',
    adminOnly: '只有管理员可以更改。',
    kept: '已设置。输入内容即可替换。',
  },
});
