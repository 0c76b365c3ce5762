import type { NameValues, Question } from '../asked-names.js'
import type { Rendered } from '../markdown.js'
import type { SlowPart } from '../slow-parts.js'

/** A linkifier as it is stored. */
export interface LinkifierSource {
  readonly pattern: string
  readonly url_template: string
}

/** What a worker sends to a thread. The thread replies to each with one message. */
export type ToThread =
  | { readonly kind: 'parts'; readonly parts: readonly SlowPart[] }
  | {
      readonly kind: 'text'
      readonly content: string
      readonly values: NameValues
      /** Absent: the same ones as in the last text that this thread got. */
      readonly linkifiers?: readonly LinkifierSource[]
    }
  | { readonly kind: 'answers'; readonly answers: ReadonlyMap<Question, unknown> }

/** What a thread replies. After `asked` it waits for the answers and renders the text again. */
export type FromThread =
  | { readonly kind: 'parts'; readonly results: readonly (string | null)[] }
  | { readonly kind: 'asked'; readonly questions: readonly Question[] }
  | { readonly kind: 'rendered'; readonly rendered: Rendered }
