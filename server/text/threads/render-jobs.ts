import { ApiError } from '../../../shared/errors.js'
import { answerTo, nameValues, type Question } from '../asked-names.js'
import { asTyped, type Rendered } from '../markdown.js'
import type { Names } from '../names.js'
import type { SlowPart } from '../slow-parts.js'
import type { FromThread, LinkifierSource, ToThread } from './thread-messages.js'

/** Work for a thread. */
export interface Job {
  /** The first message to the thread; `known`: the linkifiers that the thread has. */
  begin(known: readonly LinkifierSource[] | undefined): ToThread
  /** Takes a reply of the thread; returns what the thread needs then, or nothing when the job is done. */
  handle(reply: FromThread): ToThread | undefined
  /** No thread had time for the job, or its thread ended. A job that is done already is not changed. */
  fail(why: 'no time' | 'thread ended'): void
  /** Linkifiers that the thread has after `begin`. */
  readonly linkifiers?: readonly LinkifierSource[]
}

/** The HTML of formulas and code; null, or nothing, where the plain form has to do. */
export function partsJob(parts: readonly SlowPart[], resolve: (results: readonly (string | null)[]) => void): Job {
  return {
    begin: () => ({ kind: 'parts', parts }),
    handle(reply) {
      if (reply.kind === 'parts') resolve(reply.results)
      return undefined
    },
    fail: () => resolve([]),
  }
}

/** A whole message. Without a thread it is refused: shown as typed, it would mention no user. */
export function textJob(
  content: string,
  names: Names,
  linkifiers: readonly LinkifierSource[],
  { resolve, reject }: { resolve(rendered: Rendered): void; reject(error: ApiError): void },
): Job {
  return {
    linkifiers,
    begin: known => ({
      kind: 'text',
      content,
      values: nameValues(names),
      ...(known !== linkifiers && {
        linkifiers: linkifiers.map(({ pattern, url_template }) => ({ pattern, url_template })),
      }),
    }),
    handle(reply) {
      if (reply.kind === 'asked') return { kind: 'answers', answers: answersTo(names, reply.questions) }
      if (reply.kind === 'rendered') resolve(reply.rendered)
      return undefined
    },
    fail(why) {
      if (why === 'thread ended') resolve(asTyped(content))
      else reject(noThread())
    },
  }
}

export const noThread = (): ApiError =>
  new ApiError('SERVER_NOT_READY', 'Too many long messages are being rendered: send it again in a moment.')

const answersTo = (names: Names, questions: readonly Question[]): Map<Question, unknown> =>
  new Map(questions.map(question => [question, answerTo(names, question)]))
