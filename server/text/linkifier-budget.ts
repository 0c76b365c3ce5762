import { budgets } from '../config/budgets.js'

// Each match is matched a second time to get the values of its groups.
const passes = 2

// The overhead of starting the engine, in steps.
const stepsToStart = 200

/**
 * The budget for linkifiers in one message or topic: even a linear engine may read the remaining text once per match,
 * and each match builds a URL. Beyond the budget the text is not searched.
 */
export class LinkifierBudget {
  /** Steps spent so far: an upper bound of the engine's work. */
  spent = 0
  /** Whether a text was not searched because of the budget. */
  isExhausted = false
  private matches = 0

  constructor(readonly most: number = budgets.linkifierSteps.most) {}

  /** Counts a match; false if the text has reached the largest number of matches. */
  countMatch(): boolean {
    return ++this.matches <= budgets.linkifierMatches.most
  }

  /** Whether the budget allows a program of this many instructions to search this many characters; if so, spends the steps. */
  spend(instructions: number, characters: number): boolean {
    const cost = passes * instructions * (characters + 1) + stepsToStart
    if (this.spent + cost > this.most) {
      this.isExhausted = true
      return false
    }
    this.spent += cost
    return true
  }
}
