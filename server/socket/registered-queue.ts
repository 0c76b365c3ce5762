import { type Fields, JsonFields } from '../api/route.js'
import { closingQuote } from '../text/bounded-json.js'

interface NewQueue {
  readonly queueId: string
  readonly lastEventId: number
}

/** The queue in a register answer; undefined if the answer has none. */
export function registeredQueue(fields: Fields): NewQueue | undefined {
  const { queue_id, last_event_id } =
    fields instanceof JsonFields ? readFields(fields.beginning, ['queue_id', 'last_event_id']) : fields
  if (typeof queue_id !== 'string') return undefined
  return { queueId: queue_id, lastEventId: Number(last_event_id ?? -1) }
}

/**
 * Reads outermost fields from the text of an object without parsing the rest, which may be megabytes. Jumps from string to string and
 * counts the depth of brackets between them.
 */
function readFields(text: string, names: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) depth--
    if (code !== 0x22) continue
    const end = closingQuote(text, i + 1)
    const name =
      depth === 0 &&
      text[end + 1] === ':' &&
      names.find(one => text.startsWith(one, i + 1) && end === i + 1 + one.length)
    i = end
    if (!name) continue
    const valueEnd = text.charCodeAt(end + 2) === 0x22 ? closingQuote(text, end + 3) + 1 : plainEnd(text, end + 2)
    found[name] = JSON.parse(text.slice(end + 2, valueEnd))
    if (Object.keys(found).length === names.length) break
    i = valueEnd - 1
  }
  return found
}

function plainEnd(text: string, start: number): number {
  const comma = text.indexOf(',', start)
  return comma < 0 ? text.length : comma
}
