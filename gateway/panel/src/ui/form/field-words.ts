import type { FieldError } from '../../api/transport/problem.ts';
import { useLanguage } from '../../text/language.ts';
import type { Language } from '../../text/languages.ts';
import { fill } from '../../text/section.ts';
import { fieldText } from './field-text.ts';

/** Returns what is wrong with a field. */
export type FieldWords = (error: FieldError) => string;

const MB_PER_GB = 1024;

/** Units of numbers, by how the names of their fields end. Memory is entered in GB. */
const UNITS: Readonly<Record<string, { unit: string; per: number }>> = {
  Mb: { unit: ' GB', per: MB_PER_GB },
  Minutes: { unit: ' min', per: 1 },
  Seconds: { unit: ' s', per: 1 },
};

/** Only the daemon's own words, which are English, say which format it is, or what else uses a port. */
const WITH_DETAIL = ['invalid_format', 'taken'];

/** Speaks the user's language, as far as it has the words. */
export function useFieldWords(): FieldWords {
  return fieldWordsIn(useLanguage().language);
}

export function fieldWordsIn(language: Language): FieldWords {
  return (error) => {
    const { field, rule, limit, detail } = error;
    if (!hasWords(error) || (language === 'en' && WITH_DETAIL.includes(rule))) return detail;
    const text = fieldText[language][rule as keyof typeof fieldText.en];
    if (WITH_DETAIL.includes(rule)) return `${text} (${detail})`;
    return limit === undefined ? text : fill(text, { limit: withUnit(limit, { field, language }) });
  };
}

/** Whether the daemon's own words are needed to know what is wrong. */
export function needsDetail(error: FieldError): boolean {
  return !hasWords(error) || WITH_DETAIL.includes(error.rule);
}

/** Returns false for rules without words, and those of later versions. */
function hasWords({ rule }: FieldError): boolean {
  return Object.hasOwn(fieldText.en, rule);
}

/** Ungrouped: it is often a port. */
function withUnit(limit: number, { field, language }: { field: string; language: Language }): string {
  const ending = Object.keys(UNITS).find((each) => field.endsWith(each)) ?? '';
  const { unit, per } = UNITS[ending] ?? { unit: '', per: 1 };
  return (limit / per).toLocaleString(language, { useGrouping: false, maximumFractionDigits: 3 }) + unit;
}
