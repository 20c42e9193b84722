import { asProblem, type Problem, UNREACHABLE } from '../../api/transport/problem.ts';
import { useLanguage } from '../../text/language.ts';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { problemText } from './problems/problems.ts';

type ShownProblem = Pick<Problem, 'title' | 'message' | 'resolution' | 'requestId'> & {
  /** The daemon's English sentence, which names what is concerned, below a translated `message`. */
  detail?: string;
};

/** Returns an error's texts in the user's language: those of its code, the daemon's or, if it did not respond, the panel's own. */
export function useProblem(error: unknown): ShownProblem {
  const t = useWords(uiText);
  const { language } = useLanguage();
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
  return { title, message: about, resolution, detail: problem.message, requestId: problem.requestId };
}
