import { section } from '../../text/section.ts';

export const uploadText = section({
  en: {
    sent: 'Uploaded {sent} of {all}',
    progress: 'Upload progress',
    resumeHint: 'If the connection breaks or this tab closes, choose the same file again to continue the upload.',
  },
  de: {
    sent: '{sent} von {all} hochgeladen',
    progress: 'Fortschritt des Uploads',
    resumeHint:
      'Bricht die Verbindung ab oder wird dieser Tab geschlossen, wählen Sie dieselbe Datei noch einmal: Es geht dort weiter, wo es aufgehört hat.',
  },
  zh: {
    sent: '已上传 {sent}，共 {all}',
    progress: '上传进度',
    resumeHint: '如果连接中断或此标签页关闭，请再次选择同一文件，上传会从中断处继续。',
  },
});
