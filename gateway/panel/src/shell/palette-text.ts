import { section } from '../text/section.ts';

export const paletteText = section({
  en: { start: 'Start {name}', stop: 'Stop {name}', restart: 'Restart {name}' },
  de: { start: '{name} starten', stop: '{name} stoppen', restart: '{name} neu starten' },
  zh: { start: '启动 {name}', stop: '停止 {name}', restart: '重启 {name}' },
});
