/** What is wrong with a field, for programs that have their own words for it. Later versions may add rules. */
export const FIELD_RULES = [
  ...(['required', 'too_short', 'too_long', 'too_few', 'too_many', 'too_small', 'too_big'] as const),
  ...(['not_a_number', 'not_whole', 'invalid_choice', 'invalid_format', 'taken', 'exceeds_machine', 'other'] as const),
] as const;
export type FieldRule = (typeof FIELD_RULES)[number];

/** A field of a request, or of a configuration, that breaks a rule. */
export interface FieldError {
  /** Its name; those of nested fields are joined by dots, as in `crashPolicy.maxRestarts`. */
  field: string;
  rule: FieldRule;
  /** The least or the most that is allowed, or that the machine has, in the field's unit: characters, entries, or the number itself. */
  limit?: number;
  /** In English, to be read after the field's name. */
  detail: string;
}
