import { bedrockWords } from './bedrock-words.ts';
import { everydayWords } from './everyday-words.ts';
import { javaWords } from './java-words.ts';
import { managementWords } from './management-words.ts';
import type { WordsByProperty } from './words-by-property.ts';

/** Words for every property that is known of either edition, in the order in which they are shown. The others go by their own names. */
export const PROPERTY_WORDS: WordsByProperty = {
  ...everydayWords,
  ...javaWords,
  ...managementWords,
  ...bedrockWords,
};
