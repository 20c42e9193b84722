/** The rules that apply to every operation. Shown in the OpenAPI document (as Markdown) and on `/docs`. */
export const HOUSE_RULES: readonly { title: string; text: string }[] = [
  {
    title: 'Bodies',
    text: 'JSON in UTF-8 with `content-type: application/json`, uncompressed, at most 1 MiB (signing in and out: 16 KiB); anything else is 415 or 413. An empty body counts as none, whatever its type. Unknown fields are 400.',
  },
  {
    title: 'Addresses',
    text: 'Case matters, and there is no slash at the end. Ids may be percent-encoded. Unknown query parameters are ignored; a known one that stands there twice is 400. HEAD works wherever GET does; another method is 405 with `Allow`, and so is OPTIONS, since pages of other sites have no business here.',
  },
  {
    title: 'Answers',
    text: 'JSON, whatever `Accept` says. Fields may be added in later versions: ignore those that you do not know. Every answer carries `x-request-id`, which the logs carry too; send one of up to 64 letters, digits, dots, dashes and underscores to choose it.',
  },
  {
    title: 'Errors',
    text: 'Every answer from 400 up is an ErrorResponse of type `application/problem+json`. Decide by `code`; show `detail` and `resolution` to people; `type` leads to the explanation.',
  },
  {
    title: 'Rights',
    text: 'An operation needs its scope; of users also the role, where one is named. Users may be limited to some instances, and have another role on single ones: to them other instances do not exist (404, nothing in lists and events), and what is about all at once is 403. A token has the rights of the user who made it as they are at that moment, and at most the scopes it was made with.',
  },
  {
    title: 'Long work',
    text: 'Backup, restore and verify answer when they are done. With `Prefer: respond-async` they answer 202 at once, with the job to watch in `Location`.',
  },
  {
    title: 'Limits',
    text: 'Too many requests with one credential are 429 with `Retry-After`. Request line and headers have 16 KiB (431) and 15 seconds, a whole request two minutes (408).',
  },
];
