import { writeFileSync } from 'node:fs'
import { say } from '../lib/say.js'
import { keptOutcomes } from './outcome.js'
import { pageOf } from './page.js'
import { places } from './places.js'

/** Writes the report of all stored results. */
export function writeReport(results = places.results): void {
  writeFileSync(places.report, pageOf(keptOutcomes(results)))
  say(`wrote ${places.report}`)
}
