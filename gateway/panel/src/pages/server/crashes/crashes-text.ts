import { section } from '../../../text/section.ts';

export const crashesText = section({
  en: {
    emptyTitle: 'No crashes',
    empty: 'If the server crashes, you can see here when and why, with its last output.',
    exitCode: 'exit code {code}',
    signal: 'signal {signal}',
    lastLines: 'Last output',
    copy: 'Copy report',
  },
  de: {
    emptyTitle: 'Keine Abstürze',
    empty: 'Wenn der Server abstürzt, sehen Sie hier, wann und warum, mit seiner letzten Ausgabe.',
    exitCode: 'Exit-Code {code}',
    signal: 'Signal {signal}',
    lastLines: 'Letzte Ausgabe',
    copy: 'Bericht kopieren',
  },
  zh: {
    emptyTitle: '没有崩溃记录',
    empty: '如果服务器崩溃，这里会显示时间、原因和最后的输出。',
    exitCode: '退出代码 {code}',
    signal: '信号 {signal}',
    lastLines: '最后的输出',
    copy: '复制记录',
  },
});
