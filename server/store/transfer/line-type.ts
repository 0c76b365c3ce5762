import { z } from 'zod'

/** One kind of line in an export: the rows of one table; each field has the name of its column (docs/export-format.md). */
export interface LineType {
  /** Value of the field `line`. */
  readonly line: string
  readonly doc: string
  readonly table: string
  readonly fields: z.ZodObject
  /** The `order by` of the rows, so that one snapshot always gives the same lines in the same order. */
  readonly order: string
  /** Fields that only an export with secrets contains. */
  readonly secrets: readonly string[]
  /** Fields that are not columns of the table, and the SQL expressions that read them. */
  readonly nested: Readonly<Record<string, string>>
}

export function lineType(
  line: string,
  about: Pick<LineType, 'table' | 'order' | 'doc'> & Partial<Pick<LineType, 'secrets' | 'nested'>>,
  fields: z.ZodRawShape,
): LineType {
  const shape = { line: z.literal(line), ...fields }
  return { line, fields: z.strictObject(shape), secrets: [], nested: {}, ...about }
}

/** The columns of the table that a line contains. */
export function columnsOf({ fields, nested, secrets }: LineType, withSecrets: boolean): string[] {
  return Object.keys(fields.shape).filter(
    name => name !== 'line' && !(name in nested) && (withSecrets || !secrets.includes(name)),
  )
}

export const id = (doc: string) => z.int().min(1).describe(doc)
export const time = (doc: string) => z.iso.datetime({ offset: true }).describe(`${doc} ISO 8601.`)
export const text = (doc: string) => z.string().describe(doc)
export const flag = (doc: string) => z.boolean().describe(doc)
export const object = (doc: string) => z.record(z.string(), z.unknown()).describe(doc)
/** The text form of PostgreSQL's int8multirange; a range includes its first id and excludes its second one. */
export const ranges = (doc: string) =>
  z
    .string()
    .regex(/^\{(\[\d+,\d*\)(,\[\d+,\d*\))*)?\}$/)
    .describe(`${doc} Ranges of message ids, \`{[from,below),…}\`.`)
