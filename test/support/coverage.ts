import type { Route } from '../../server/api/route.js'
import { pathNames } from '../../server/openapi/parameters.js'
import { note } from './recorded-facts.js'

/** The facts about the API that one test file showed. */
export interface Recording {
  /** From the root of the package. */
  readonly file: string
  readonly facts: readonly string[]
}

export type Outcome = 'accepted' | 'refused'

/** Without a parameter: a fact about the whole operation. */
export const fact = (operation: string, parameter: string, outcome: Outcome): string =>
  [operation, parameter, outcome].join(' ')

export interface RecordedCall {
  readonly sent: readonly (readonly [name: string, text: string])[]
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Records which parameters a test sent, and whether the server accepted them. */
export function recordCall(route: Route, call: RecordedCall): void {
  for (const one of factsOf(route, call)) note(one)
}

/** `received`: a client received it in the form of the reference schemas. `replayed`: it updated a client's state. */
export type Shown = 'received' | 'replayed'

/** Records that a test showed an event type (`type` or `type/op`). */
export function recordEvent(name: string, shown: Shown): void {
  note(eventFact(name, shown))
}

export const eventFact = (name: string, shown: Shown): string => ['event', name, shown].join(' ')

/** The facts that one call shows. A refusal for missing credentials, or an internal error, shows nothing about parameters. */
export function factsOf(route: Route, { sent, status, body }: RecordedCall): string[] {
  const known = sent.filter(([name]) => name in route.params.shape)
  const inPath = pathNames(route.path)
  const all = (names: readonly string[], outcome: Outcome) => names.map(name => fact(route.operation, name, outcome))
  if (status < 400) return all(['', ...inPath, ...known.map(([name]) => name)], 'accepted')
  if (status === 401 || status >= 500) return all([''], 'refused')
  const named = namedIn(route, body)
  const refused = named.length > 0 ? named : known.length > 0 ? refusedOf(route, known, body) : inPath
  return all(['', ...refused], 'refused')
}

const namedIn = ({ params }: Route, { var_name, var_name1, var_name2 }: RecordedCall['body']): string[] =>
  [var_name, var_name1, var_name2].filter(name => typeof name === 'string').filter(name => name in params.shape)

/** The parameter whose schema refuses its value, those that the error names, or the only one that was sent. */
function refusedOf({ params: { shape } }: Route, sent: RecordedCall['sent'], body: RecordedCall['body']): string[] {
  const wrong = sent.find(
    ([name, text]) => !(shape[name] as { safeParse(of: unknown): { success: boolean } }).safeParse(text).success,
  )
  if (wrong) return [wrong[0]]
  const named = Object.keys(shape).filter(name => new RegExp(`\\b${name}\\b`).test(String(body.msg)))
  return named.length > 0 || sent.length > 1 ? named : sent.map(([name]) => name)
}
