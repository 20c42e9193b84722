import { asProblem, type Problem, UNREACHABLE } from '../../api/transport/problem.ts';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';

type ShownProblem = Pick<Problem, 'title' | 'message' | 'resolution' | 'requestId'>;

/** Returns an error's texts: the daemon's or, if it did not respond, the panel's own. */
export function useProblem(error: unknown): ShownProblem {
  const t = useWords(uiText);
  const problem = asProblem(error);
  if (problem.code !== UNREACHABLE) return problem;
  return {
    title: t('unreachable'),
    message: t('unreachableDetail'),
    resolution: t('unreachableHelp'),
    requestId: undefined,
  };
}
