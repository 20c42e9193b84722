import { bedrockWords } from './bedrock-words.ts';
import { everydayWords } from './everyday-words.ts';
import { javaWords } from './java-words.ts';
import { managementWords } from './management-words.ts';
import type { WordsByProperty } from './words-by-property.ts';

/** Labels and descriptions of all known properties of both editions, in display order. */
export const PROPERTY_WORDS: WordsByProperty = {
  ...everydayWords,
  ...javaWords,
  ...managementWords,
  ...bedrockWords,
};
