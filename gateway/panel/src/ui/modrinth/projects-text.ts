import { section } from '../../text/section.ts';

export const projectsText = section({
  en: { by: 'by {author} · {downloads} downloads', more: 'Show more' },
  de: { by: 'von {author} · {downloads} Downloads', more: 'Mehr anzeigen' },
  zh: { by: '作者 {author} · {downloads} 次下载', more: '显示更多' },
});
