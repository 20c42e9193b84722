import { type ReactNode, useEffect, useState } from 'react';
import { LanguageContext, preferredLanguage, rememberLanguage } from './language.ts';

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, choose] = useState(preferredLanguage);
  useEffect(() => rememberLanguage(language), [language]);
  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>;
}
