import type { ISql } from './db.js'
import { runText } from './statement-text.js'

/** A part of an SQL statement with its values, for statements that combine an unlimited number of different conditions. */
export class Fragment {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

/** Template tag for a fragment; values become parameters, and nested fragments are inserted. */
export function q(strings: TemplateStringsArray, ...values: unknown[]): Fragment {
  const texts = [strings[0] ?? '']
  const flat: unknown[] = []
  values.forEach((value, i) => {
    appendTo(texts, flat, value instanceof Fragment ? value : parameter(value))
    texts[texts.length - 1] += strings[i + 1] ?? ''
  })
  return new Fragment(texts, flat)
}

/** Joins fragments with a separator, in linear time. */
export function joinFragments(fragments: readonly Fragment[], separator: string): Fragment {
  const texts = ['']
  const flat: unknown[] = []
  fragments.forEach((one, i) => {
    if (i > 0) texts[texts.length - 1] += separator
    appendTo(texts, flat, one)
  })
  return new Fragment(texts, flat)
}

function appendTo(texts: string[], flat: unknown[], { strings, values }: Fragment): void {
  texts[texts.length - 1] += strings[0] ?? ''
  values.forEach((value, i) => {
    flat.push(value)
    texts.push(strings[i + 1] ?? '')
  })
}

const parameter = (value: unknown): Fragment => new Fragment(['', ''], [value])

/** The conjunction of the conditions; `true` if there are none. */
export const every = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? q`true` : joinFragments(conditions, ' and ')

/** The rows of all selects; `selects` is not empty. */
export const unionAll = (selects: readonly Fragment[]): Fragment => joinFragments(selects, ' union all ')

/**
 * Runs a fragment. `prepare`: keeps the statement prepared, which saves planning it; only for fragments with few different texts, because
 * driver and database keep a prepared statement for each text.
 */
export function run<Row extends object>(sql: ISql, fragment: Fragment, prepare = false): Promise<Row[]> {
  const text = fragment.strings.map((part, i) => (i === 0 ? part : `$${i}${part}`)).join('')
  return runText<Row>(sql, text, fragment.values, { prepare })
}

/** A statement that runs when it is awaited, like one of the driver; in another one it is a fragment. */
class Statement<Row extends object> extends Fragment implements PromiseLike<Row[]> {
  constructor(
    private readonly sql: ISql,
    { strings, values }: Fragment,
  ) {
    super(strings, values)
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` runs it
  then<Done, Failed>(
    done?: ((rows: Row[]) => Done | PromiseLike<Done>) | null,
    failed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return run<Row>(this.sql, this, true).then(done, failed)
  }
}

const identifier = (name: string) => new Fragment([`"${name.replaceAll('"', '""')}"`], [])

/**
 * The same pool, for statements of many fragments: the driver makes a promise for each of its fragments, which takes two to three times the CPU
 * of such a statement (docs/performance.md#what-dominates). It has the driver's tag with values, fragments and names, and `array`, `json` and `unsafe`.
 */
export function ofFragments(sql: ISql): ISql {
  const tag = (given: TemplateStringsArray | string, ...values: unknown[]) => {
    if (typeof given === 'string') return identifier(given)
    if (values.some(value => value instanceof Promise)) throw new Error('a fragment of the driver in another statement')
    return new Statement(sql, q(given, ...values))
  }
  const { array, json, unsafe } = sql
  // The cast: the driver's type has further functions.
  return Object.assign(tag, { array, json, unsafe }) as unknown as ISql
}
