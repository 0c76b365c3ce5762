import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../config/paths.js'
import type { JsonSchema } from './json-schema.js'
import { pathNames } from './parameters.js'

/** A request that the tests send, and its answer; `npm run examples` records both. */
export interface Example {
  /** Below /api/v1, without a query. */
  readonly path: string
  /** Those of the query or of the body, before they are encoded. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly answer: Readonly<Record<string, unknown>>
}

/** The file with the examples of an area, by operation. */
export const exampleFile = (area: string): string => join(projectRoot, 'server/openapi/examples', `${area}.json`)

/** The examples of all areas by operation; an operation that is new has none yet. */
export function readExamples(areas: readonly string[]): Readonly<Record<string, Example>> {
  const files = areas.map(exampleFile).filter(file => existsSync(file))
  return Object.assign({}, ...files.map(file => JSON.parse(readFileSync(file, 'utf8'))))
}

/** The values of the parameters of a path in the example. */
export function pathValues(path: string, example: Example): Readonly<Record<string, string>> {
  const values = new RegExp(`^${path.replace(/\{\w+\*?\}/g, '(.+?)')}$`).exec(example.path)?.slice(1) ?? []
  return Object.fromEntries(pathNames(path).map((name, i) => [name, decodeURIComponent(values[i] ?? '')]))
}

/** A text of a path or of a query as a value of the schema. */
export const asValue = (text: string, schema: JsonSchema): unknown =>
  schema.type === 'string' || !/^\d+$/.test(text) ? text : Number(text)
