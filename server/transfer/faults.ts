/** A kind of fault, with the first places where it was found. */
export interface FaultKind {
  readonly kind: string
  readonly count: number
  /** `place: what` of the first ones. */
  readonly first: readonly string[]
}

const mostNamed = 20
const mostKinds = 200
const otherKinds = 'others'

/** Collects what is wrong with single records of an archive, in bounded memory. */
export class Faults {
  private readonly kinds: Map<string, { count: number; first: string[] }>

  /** `known`: of an earlier run. */
  constructor(known: readonly FaultKind[] = []) {
    this.kinds = new Map(known.map(({ kind, count, first }) => [kind, { count, first: [...first] }]))
  }

  /** `kind`: without names of the archive; `what`: for this place. */
  add(kind: string, place: string, what: string): void {
    const name = this.kinds.has(kind) || this.kinds.size < mostKinds ? kind : otherKinds
    const known = this.kinds.get(name) ?? { count: 0, first: [] }
    known.count++
    if (known.first.length < mostNamed) known.first.push(`${place}: ${what}`)
    this.kinds.set(name, known)
  }

  list(): FaultKind[] {
    return [...this.kinds].map(([kind, { count, first }]) => ({ kind, count, first }))
  }
}
