// The engine is linear, but finding all matches of a pattern may read the rest of the text once for each of them. A step is
// one instruction of a pattern at one character, about 4 ns: this many are 0.15 s, the most that looking through one
// message may ever cost, and a thousand times what usual linkifiers cost in a usual message.
const maxSteps = 40_000_000

// What was found is gone through once more for the values of its groups.
const passes = 2

// Starting the engine costs as much as this many steps.
const stepsToStart = 200

/** What looking for linkifiers may still cost in one message or topic. What exceeds it is not looked for and stays text. */
export class Effort {
  /** How much was spent, in steps: an upper bound of what the engine did. */
  spent = 0

  constructor(private readonly most = maxSteps) {}

  /** Whether a program of this many instructions may look through this many characters; if so, it is counted. */
  spend(instructions: number, characters: number): boolean {
    const cost = passes * instructions * (characters + 1) + stepsToStart
    if (this.spent + cost > this.most) return false
    this.spent += cost
    return true
  }
}
