import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { questions, type ScenarioName } from '../lib/questions.js'
import type { Result } from '../lib/result.js'

/** The result of a scenario, or the reason why there is none. */
export interface Outcome {
  readonly scenario: string
  readonly question: string
  /** When the run ended, and the commit of the sources. */
  readonly at: string
  readonly commit: string | null
  readonly seconds: number
  readonly result: Result | null
  readonly failure: string | null
}

/** Stores an outcome in place of the scenario's previous one. */
export function keepOutcome(directory: string, outcome: Outcome): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, `${outcome.scenario}.json`), `${JSON.stringify(outcome)}\n`)
}

/** All stored outcomes, in the order of the scenarios. */
export function keptOutcomes(directory: string): Outcome[] {
  const order = Object.keys(questions)
  const place = ({ scenario }: Outcome) => order.indexOf(scenario as ScenarioName)
  return readdirSync(directory)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Outcome)
    .sort((a, b) => place(a) - place(b))
}

/** Null without git; with `+` if the sources have uncommitted changes. */
export function commitOfSources(root: string): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'server', 'shared') ? '+' : ''}`
  } catch {
    return null
  }
}
