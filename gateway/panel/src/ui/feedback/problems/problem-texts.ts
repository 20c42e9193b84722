/** What an error code means and what to do in the panel, in one language. */
export interface ProblemText {
  title: string;
  about: string;
  resolution: string;
}

/** By the code of an error response. */
export type ProblemTexts = Readonly<Record<string, ProblemText>>;
