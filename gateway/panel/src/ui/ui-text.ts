import { section } from '../text/section.ts';

export const uiText = section({
  en: {
    retry: 'Try again',
    copied: 'Copied',
    copy: 'Copy',
    copyRequestId: 'Copy the request id',
    cancel: 'Cancel',
    save: 'Save',
    loading: 'Loading',
    typeToConfirm: 'Type {word} to confirm',
    done: 'Done',
  },
  de: {
    retry: 'Noch einmal',
    copied: 'Kopiert',
    copy: 'Kopieren',
    copyRequestId: 'Anfrage-Nummer kopieren',
    cancel: 'Abbrechen',
    save: 'Speichern',
    loading: 'Lädt',
    typeToConfirm: 'Zum Bestätigen {word} eingeben',
    done: 'Fertig',
  },
  zh: {
    retry: '重试',
    copied: '已复制',
    copy: '复制',
    copyRequestId: '复制请求编号',
    cancel: '取消',
    save: '保存',
    loading: '加载中',
    typeToConfirm: '输入 {word} 以确认',
    done: '完成',
  },
});
