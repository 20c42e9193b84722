import { asProblem, type Problem, UNREACHABLE } from '../../api/transport/problem.ts';
import { useLanguage } from '../../text/language.ts';
import { useWords } from '../../text/section.ts';
import { needsDetail, useFieldWords } from '../form/field-words.ts';
import { uiText } from '../ui-text.ts';
import { problemText } from './problems/problems.ts';

type ShownProblem = Pick<Problem, 'title' | 'message' | 'resolution' | 'requestId'> & {
  /** What is concerned, below a translated `message`: the daemon's sentence, or its fields in the user's language. */
  detail?: string;
  /** Set if the language of `detail` is not the user's. */
  detailLanguage?: 'en';
};

/** Returns an error's texts in the user's language: those of its code, the daemon's or, if it did not respond, the panel's own. */
export function useProblem(error: unknown): ShownProblem {
  const t = useWords(uiText);
  const { language } = useLanguage();
  const fieldWords = useFieldWords();
  const problem = asProblem(error);
  if (problem.code === UNREACHABLE)
    return {
      title: t('unreachable'),
      message: t('unreachableDetail'),
      resolution: t('unreachableHelp'),
      requestId: undefined,
    };
  const translated = problemText(problem.code, language);
  if (!translated) return problem;
  const { title, about, resolution } = translated;
  const shown = { title, message: about, resolution, requestId: problem.requestId };
  if (problem.errors.length === 0 || problem.errors.some(needsDetail))
    return { ...shown, detail: problem.message, detailLanguage: 'en' };
  return { ...shown, detail: problem.errors.map((each) => `${each.field}: ${fieldWords(each)}`).join(' ') };
}
