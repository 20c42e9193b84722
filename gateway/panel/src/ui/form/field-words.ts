import type { FieldError } from '../../api/transport/problem.ts';
import { useLanguage } from '../../text/language.ts';
import type { Language } from '../../text/languages.ts';
import { fill } from '../../text/section.ts';
import { fieldText } from './field-text.ts';

/** Returns what is wrong with a field. */
export type FieldWords = (error: FieldError) => string;

/** Units of numbers, by how the names of their fields end. */
const UNITS: Readonly<Record<string, string>> = { Mb: ' MB', Minutes: ' min', Seconds: ' s' };

/** Only the daemon's own words, which are English, say which format it is, or what else uses a port. */
const WITH_DETAIL = ['invalid_format', 'taken'];
const BETTER_IN_ENGLISH = [...WITH_DETAIL, 'exceeds_machine'];

/** Speaks the user's language, as far as it has the words. */
export function useFieldWords(): FieldWords {
  return fieldWordsIn(useLanguage().language);
}

export function fieldWordsIn(language: Language): FieldWords {
  return (error) => {
    const { field, rule, limit, detail } = error;
    if (!hasWords(error) || (language === 'en' && BETTER_IN_ENGLISH.includes(rule))) return detail;
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
  const unit = Object.keys(UNITS).find((ending) => field.endsWith(ending)) ?? '';
  return limit.toLocaleString(language, { useGrouping: false, maximumFractionDigits: 10 }) + (UNITS[unit] ?? '');
}
