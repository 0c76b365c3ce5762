import type { SearchQuery, Sequence } from '../../../server/text/search/query.js'
import type { Word } from '../../../server/text/search/words.js'

/** Whether a text with these words matches a search, as PostgreSQL decides it. */
export const finds = ({ groups }: SearchQuery, words: readonly Word[]): boolean =>
  groups.length > 0 &&
  groups.every(terms => terms.some(term => term.sequences.some(one => occurs(one, words)) !== term.negated))

const occurs = (sequence: Sequence, words: readonly Word[]): boolean =>
  words.some(({ place }) =>
    sequence.every(({ form, offset, isBeginning, isExact }) =>
      words.some(
        word =>
          word.place === place + offset &&
          (word.isExact || !isExact) &&
          (isBeginning ? word.form.startsWith(form) : word.form === form),
      ),
    ),
  )
