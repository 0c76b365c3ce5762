import { createSignal } from 'solid-js'
import { lineStep, nextChoice } from '../state/choice.js'

/** Suggestions of which the arrow keys choose one, while a text box keeps the focus. */
export interface Choosing<Offer> {
  readonly offers: () => readonly Offer[]
  /** The number of the chosen one; -1: none. */
  readonly at: () => number
  readonly chosen: () => Offer | undefined
  choose(at: number): void
  /** The number that the last arrow key chose; announced at each of them. */
  readonly stepped: () => number
  /** Chooses the next one, or the one before it. False: the key is no arrow, or there are no suggestions. */
  step(event: { readonly key: string }): boolean
}

/** `first`: -1 if the arrow keys also lead back to the text itself, so that nothing is chosen. */
export function createChoosing<Offer>(offers: () => readonly Offer[], first: 0 | -1): Choosing<Offer> {
  const [at, choose] = createSignal<number>(first)
  const [stepped, setStepped] = createSignal<number>(first, { equals: false })
  return {
    offers,
    at,
    chosen: () => offers()[at()],
    choose,
    stepped,
    step({ key }) {
      const by = lineStep(key)
      const count = offers().length
      if (by === undefined || count === 0) return false
      choose(nextChoice(at(), by, count, first))
      setStepped(at())
      return true
    },
  }
}
