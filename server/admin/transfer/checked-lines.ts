import type { z } from 'zod'
import { newApiKey } from '../../actions/accounts/new-secrets.js'
import type { LineType } from '../../store/transfer/line-type.js'
import { lineTypes } from '../../store/transfer/line-types.js'
import { userLine } from '../../store/transfer/lines/user.js'
import { AdminError } from '../admin-error.js'
import type { Counts } from './export.js'
import { endLine, headerLine } from './frame.js'

export interface CheckedLine {
  readonly number: number
  readonly type: LineType
  /** The line as JSON text. */
  readonly text: string
}

/** Checks each line between header and end by itself, and the order of the lines. @throws {AdminError} */
export async function* checkedLines(lines: AsyncIterable<string>): AsyncGenerator<CheckedLine> {
  const counts: Counts = Object.fromEntries(lineTypes.map(({ line }) => [line, 0]))
  let place = 0
  let number = 0
  let isEnded = false
  for await (const text of lines) {
    number++
    if (isEnded) throw wrong(number, 'nothing may stand behind the end line')
    const line = parsed(number, text)
    if (number === 1) check(number, headerLine, line)
    else if (line.line === 'end') {
      isEnded = true
      requireCounts(number, counts, check(number, endLine, line).lines)
    } else {
      const at = lineTypes.findIndex(type => type.line === line.line)
      const type = lineTypes[at]
      if (!type) throw wrong(number, `there are no lines of the kind ${JSON.stringify(line.line)}`)
      if (at < place) throw wrong(number, `a ${type.line} line may not stand behind a ${lineTypes[place]?.line} line`)
      place = at
      check(number, type.fields, line)
      counts[type.line] = (counts[type.line] ?? 0) + 1
      yield { number, type, text: type === userLine ? withKey(line, text) : text }
    }
  }
  if (!isEnded)
    throw new AdminError(`The file ends after line ${number} without an end line: it was cut off.`, 'BAD_LINE')
}

export const wrong = (number: number, what: string): AdminError =>
  new AdminError(`Line ${number}: ${what}.`, 'BAD_LINE')

function parsed(number: number, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The error below covers invalid JSON too.
  }
  throw wrong(number, 'it is no JSON object')
}

function check<Schema extends z.ZodType>(number: number, schema: Schema, line: unknown): z.output<Schema> {
  const { success, error, data } = schema.safeParse(line)
  if (success) return data
  const [issue] = error.issues
  const field = issue?.path.join('.')
  throw wrong(number, `${field ? `${field}: ` : ''}${(issue?.message ?? 'it is wrong').replace(/\.$/, '')}`)
}

function requireCounts(number: number, found: Counts, wanted: Counts): void {
  for (const { line } of lineTypes) {
    const [is, should] = [found[line] ?? 0, wanted[line] ?? 0]
    if (is !== should) throw wrong(number, `${should} ${line} lines were written, ${is} are here`)
  }
}

/** Adds a new API key to a user whose line has none. */
function withKey(line: Record<string, unknown>, text: string): string {
  return line.api_key === undefined ? JSON.stringify({ ...line, api_key: newApiKey() }) : text
}
