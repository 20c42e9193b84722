import { asProblem, type Problem, UNREACHABLE } from '../../api/transport/problem.ts';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';

type Words = Pick<Problem, 'title' | 'message' | 'resolution' | 'requestId'>;

/** What an error says: in the daemon's words, or, where it did not answer, in the panel's own. */
export function useProblem(error: unknown): Words {
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
