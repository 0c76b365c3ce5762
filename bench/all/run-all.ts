import { parseArgs } from 'node:util'
import { questions, type ScenarioName } from '../lib/questions.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { scenarios } from '../scenario-table.js'
import { commitOfSources, keepOutcome, type Outcome } from './outcome.js'
import { places } from './places.js'
import { runScenario } from './run-scenario.js'
import { writeReport } from './write-report.js'

/** Runs all scenarios one after the other, even if some fail, and writes the report. */
export async function all(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  })
  const names = chosen(values.only)
  const results = values.quick ? places.quickResults : places.results
  const failed = await keepAll(results, names, name =>
    runScenario(name, values.quick ? (scenarios[name]?.quick ?? []) : []),
  )
  writeReport(results)
  if (failed.length > 0) throw new Error(`Failed: ${failed.join(', ')}.`)
}

/** Runs each scenario and stores its outcome; returns the names of those that failed. */
export async function keepAll(
  directory: string,
  names: readonly ScenarioName[],
  run: (name: ScenarioName) => Promise<Result>,
): Promise<ScenarioName[]> {
  const failed: ScenarioName[] = []
  for (const [i, name] of names.entries()) {
    say(`${name} (${i + 1} of ${names.length}): ${questions[name]}`)
    const begun = performance.now()
    const came = await run(name).then(
      result => ({ result, failure: null }),
      (error: Error) => ({ result: null, failure: error.message }),
    )
    if (came.failure !== null) failed.push(name)
    const outcome: Outcome = {
      scenario: name,
      question: questions[name],
      at: new Date().toISOString(),
      commit: commitOfSources(places.root),
      seconds: Math.round((performance.now() - begun) / 1000),
      ...came,
    }
    keepOutcome(directory, outcome)
    say(`${name}: ${came.failure === null ? 'done' : 'failed'} after ${outcome.seconds} s`)
  }
  return failed
}

function chosen(only: string | undefined): ScenarioName[] {
  const names = Object.keys(scenarios) as ScenarioName[]
  if (only === undefined) return names.filter(name => !scenarios[name]?.isEndless)
  return only.split(',').map(name => {
    if (!names.includes(name as ScenarioName)) throw new Error(`There is no ${name}: ${names.join(', ')}.`)
    return name as ScenarioName
  })
}
