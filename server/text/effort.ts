import { budgets } from '../budgets.js'

// What was found is gone through once more for the values of its groups.
const passes = 2

// Starting the engine costs as much as this many steps.
const stepsToStart = 200

/**
 * What looking for linkifiers may still cost in one message or topic: a linear engine, too, may read the rest of the text once
 * for each match, and each match costs an address. What exceeds it is not looked for and stays text.
 */
export class Effort {
  /** How much was spent, in steps: an upper bound of what the engine did. */
  spent = 0
  #matches = 0

  constructor(private readonly most: number = budgets.linkifierSteps.most) {}

  /** Counts one more match; false when there were as many as a text may have. */
  countMatch(): boolean {
    return ++this.#matches <= budgets.linkifierMatches.most
  }

  /** Whether a program of this many instructions may look through this many characters; if so, it is counted. */
  spend(instructions: number, characters: number): boolean {
    const cost = passes * instructions * (characters + 1) + stepsToStart
    if (this.spent + cost > this.most) return false
    this.spent += cost
    return true
  }
}
