import { RE2JS } from 're2js'

/** Why a text is no pattern; a sentence for whoever wrote it. */
export class PatternError extends Error {}

// An instruction costs time at each character of each message. People's patterns have 10 to 100; the greatest that count
// something out, such as [0-9a-f]{64}, a few hundred.
const maxInstructions = 1000

/** The values of a pattern's named groups; undefined for a group that took no part in the match. */
export type GroupValues = Readonly<Record<string, string | undefined>>

/** What a pattern found: where, and the text from the end of which to look on. */
export interface PatternMatch {
  readonly start: number
  readonly end: number
  readonly values: GroupValues
}

/**
 * An organization's pattern, in RE2's syntax and by its rules: no look-around, no back-references, and no pattern can take
 * more than time in proportion to the text. @throws {PatternError}
 */
export class Pattern {
  readonly groups: readonly string[]
  /** Instructions of the program that `find` runs. */
  readonly instructions: number
  private readonly whole: RE2JS
  private readonly within: RE2JS
  private readonly groupNumbers: Readonly<Record<string, number>>

  constructor(source: string) {
    this.whole = compile(source)
    // Some patterns stand alone but not in brackets: a \Q without its \E would quote what follows.
    this.within = compile(`${before}(${source})${after}`, 'it does not end where it should')
    this.groupNumbers = this.within.namedGroups()
    this.groups = Object.keys(this.groupNumbers)
    this.instructions = this.within.programSize()
    if (this.instructions > maxInstructions) throw new PatternError('The regular expression is too large.')
  }

  /** The groups' values when the pattern matches all of the text; otherwise undefined. */
  matchWhole(text: string): GroupValues | undefined {
    const matcher = this.whole.matcher(text)
    if (!matcher.matches()) return undefined
    return valuesOf(this.groups, name => matcher.group(name))
  }

  /** The first match that begins at `from` or later and stands between what may stand around a linkifier. */
  find(text: string, from: number): PatternMatch | undefined {
    const matcher = this.within.matcher(text)
    if (from > text.length || !matcher.find(from)) return undefined
    const values = valuesOf(this.groups, name => matcher.group(this.groupNumbers[name]))
    return { start: matcher.start(linked), end: matcher.end(linked), values }
  }
}

// As clients that render their own messages at once do it: after the beginning, a space or an opening mark; before the end
// or anything that is neither letter nor digit. The engine's \s knows only the spaces of ASCII.
const before = String.raw`(^|\s|\x{0085}|\pZ|['"(,:<])`
const after = String.raw`($|[^\pL\pN])`
/** The group between the two. */
const linked = 2

function compile(source: string, otherwise?: string): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    const { message } = error as Error
    throw new PatternError(`Bad regular expression: ${otherwise ?? message.replace(/^error parsing regexp: /, '')}`)
  }
}

function valuesOf(names: readonly string[], read: (name: string) => string | null): GroupValues {
  const values: Record<string, string | undefined> = Object.create(null)
  for (const name of names) values[name] = read(name) ?? undefined
  return values
}
