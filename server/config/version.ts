import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './paths.js'

/** The version of this program, of package.json: that of a release, or with `-dev` that of the next one. */
export const version: string = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version

/** Whether a version comes before another one; `-dev` and other suffixes do not count. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [numbers(version), numbers(other)]
  const differing = a.findIndex((number, i) => number !== b[i])
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] ?? 0)
}

const numbers = (version: string): number[] => version.split('.', 3).map(part => Number.parseInt(part, 10))
