import { existsSync, readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import { budgets } from '../config/budgets.js'
import { compileGrammar, highlight, loadGrammars } from './rules/highlight.js'
import { typeset } from './rules/typeset.js'
import type { SlowPart } from './slow-parts.js'

await loadGrammars()
// The first formulas are slow until the compiler has seen them.
for (let round = 0; round < 20; round++) typeset('\\sqrt{x_1^2} + \\frac{\\sum_{i=0}^n a_i}{2}', true)

const script = new Script('work()')

// The limit is one of time that passes. On a busy machine a thread may have had little of it, and tries again with more.
const mostTries = 3

/** Renders slow parts of messages within the budgets of time and bytes. */
export class SlowPartsRenderer {
  // Only V8's own time limit for scripts can end a loop inside a library, and it needs a script to call.
  private readonly sandbox = createContext({ work() {} }) as { work(): void }

  /** The parts of one message; null: the part is not valid, or it is beyond a budget. Beyond the bytes nothing more is rendered. */
  render(parts: readonly SlowPart[]): (string | null)[] {
    const results: (string | null)[] = []
    let formulaCharacters = 0
    let room = budgets.slowPartBytes.most
    // Not within the budget: it happens once in the life of a thread.
    for (const part of parts) if (part.kind === 'code') compileGrammar(part.grammar)
    this.sandbox.work = () => {
      for (const part of parts.slice(results.length)) {
        if (part.kind === 'formula' && formulaCharacters + part.source.length > budgets.formulaCharacters.most) {
          results.push(null)
          continue
        }
        const html = rendered(part)
        room -= html === null ? 0 : Buffer.byteLength(html)
        if (room < 0) return
        results.push(html)
        if (part.kind === 'formula') formulaCharacters += part.source.length
      }
    }
    const start = threadMs()
    for (let tries = 1; !this.isDoneWithin(tries * budgets.slowPartsMs.most); tries++) {
      if (tries === mostTries || threadMs() - start > budgets.slowPartsMs.most / 2) break
    }
    return parts.map((_, index) => results[index] ?? null)
  }

  private isDoneWithin(timeout: number): boolean {
    try {
      script.runInContext(this.sandbox, { timeout })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      return false
    }
  }
}

const rendered = (part: SlowPart): string | null =>
  part.kind === 'code' ? highlight(part.source, part.grammar) : typesetIfValid(part.source, part.isDisplay)

/** KaTeX throws for what it does not understand, and the engine where formulas are nested too deep. */
function typesetIfValid(source: string, isDisplay: boolean): string | null {
  try {
    return typeset(source, isDisplay)
  } catch {
    return null
  }
}

const schedule = '/proc/thread-self/schedstat'
const isKnown = existsSync(schedule)

/** Milliseconds that this thread has run; where Linux does not tell, those that have passed. */
function threadMs(): number {
  return isKnown ? Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6 : performance.now()
}
