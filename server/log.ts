import { type Logger, pino } from 'pino'

export type Log = Logger

/** Of a request whose events the log shall tell of. */
export interface Trace {
  /** They are in the feed. Told once for those that went there together. */
  published(eventIds: readonly number[]): void
}

// Enough to recognize what it is, in characters.
const longestText = 300
const mostStackFrames = 20
const mostItems = 100
const deepest = 4

/**
 * Writes to standard error: standard output carries only the `ready` line. Keys and passwords are cut out wherever they stand, and
 * a line stays small whatever it is about: long texts and lists are cut, and of an error only known fields are written.
 */
export function createLog(level: string, name: string): Log {
  return pino(
    {
      level,
      name,
      redact: { paths: ['*.api_key', '*.password', '*.authorization', 'api_key', 'password', 'authorization'] },
      serializers: { err: value => value },
      formatters: { log: fields => cutFields(fields, 0) },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[]
          // Without words of its own a line has those of the error, as they are.
          const words = rest.length === 0 && first instanceof Error ? [messageOf(first)] : rest.map(cutText)
          method.apply(this, [cutText(first), ...words] as Parameters<typeof method>)
        },
      },
    },
    pino.destination({ fd: 2, sync: false }),
  )
}

const cutText = (value: unknown): unknown => (typeof value === 'string' ? cut(value) : value)

const cut = (text: string): string =>
  text.length <= longestText ? text : `${text.slice(0, longestText)}… (${text.length} characters)`

const cutFields = (fields: object, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .slice(0, mostItems)
      .map(([name, value]) => [name, cutValue(value, depth + 1)]),
  )

function cutValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '…'
  if (value instanceof Error) return errorFields(value, depth)
  if (Array.isArray(value)) return value.slice(0, mostItems).map(item => cutValue(item, depth + 1))
  return value instanceof Date ? value : cutFields(value, depth)
}

// What drivers and the system say of where an error came from. Not `query`, `parameters`, `detail`, `where`, `command` and the like:
// there the values of people stand.
const errorDetails = ['code', 'syscall', 'address', 'port', 'severity', 'schema_name', 'table_name', 'constraint_name']

function errorFields(error: Error, depth: number): Record<string, unknown> {
  const message = messageOf(error)
  const details = Object.entries(error).filter(([name]) => errorDetails.includes(name))
  const frames = (error.stack ?? '').split('\n').filter(line => /^ {4}at /.test(line))
  return {
    type: error.name,
    message,
    stack: [`${error.name}: ${message}`, ...frames.slice(0, mostStackFrames).map(cut)].join('\n'),
    ...cutFields(Object.fromEntries(details), depth),
    ...(error.cause === undefined ? {} : { cause: cutValue(error.cause, depth + 1) }),
  }
}

/** PostgreSQL quotes the value in what it says of one that it cannot read (class 22). */
function messageOf(error: Error): string {
  const { code } = error as { code?: unknown }
  return cut(/^22...$/.test(String(code)) ? error.message.replace(/"[\s\S]*"/, '"…"') : error.message)
}
