import { RE2JS } from 're2js'

/** Why a text is no valid pattern; a sentence for the user who wrote it. */
export class PatternError extends Error {}

// Each instruction costs time at each character of each message. Usual patterns have 10 to 100; the largest with
// repetition counts, such as [0-9a-f]{64}, a few hundred.
const maxInstructions = 1000

/** The values of a pattern's named groups; undefined for a group that took no part in the match. */
export type GroupValues = Readonly<Record<string, string | undefined>>

/** A match, and the end of the consumed text, from where the search continues. */
interface PatternMatch {
  readonly start: number
  readonly end: number
  readonly values: GroupValues
}

/**
 * A regular expression of a linkifier, in the syntax of RE2: without look-around and back-references, and with matching
 * time linear in the text. @throws {PatternError}
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
    // Some patterns compile alone but not inside a group: a \Q without its \E would quote what follows.
    this.within = compile(`${before}(${source})${after}`, 'it does not end where it should')
    this.groupNumbers = this.within.namedGroups()
    this.groups = Object.keys(this.groupNumbers)
    this.instructions = this.within.programSize()
    if (this.instructions > maxInstructions) throw new PatternError('The regular expression is too large.')
  }

  /** The values of the groups if the pattern matches the whole text; otherwise undefined. */
  matchWhole(text: string): GroupValues | undefined {
    const matcher = this.whole.matcher(text)
    if (!matcher.matches()) return undefined
    return valuesOf(this.groups, name => matcher.group(name))
  }

  /** The first match at `from` or later whose neighbours may surround a linkifier match. */
  find(text: string, from: number): PatternMatch | undefined {
    const matcher = this.within.matcher(text)
    if (from > text.length || !matcher.find(from)) return undefined
    const values = valuesOf(this.groups, name => matcher.group(this.groupNumbers[name]))
    return { start: matcher.start(linked), end: matcher.end(linked), values }
  }
}

// Clients that render their own messages locally use the same rules: a match follows the start of the text, a space or
// an opening mark, and precedes the end or a character that is neither letter nor digit. RE2's \s covers only ASCII
// spaces.
const before = String.raw`(^|\s|\x{0085}|\pZ|['"(,:<])`
const after = String.raw`($|[^\pL\pN])`
/** The number of the capturing group between `before` and `after`. */
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
