import { isatty } from 'node:tty'
import { type Logger, pino } from 'pino'
import { PinoPretty as pretty } from 'pino-pretty'

export type Log = Logger

/** A request whose events the log records. */
export interface Trace {
  /** Called after events of the request were published, once for events that were published together. */
  published(eventIds: readonly number[]): void
}

// Characters per text: enough to recognize it.
const longestText = 300
const mostStackFrames = 20
const mostItems = 100
const deepest = 4

/**
 * Writes to standard error, because standard output carries only the `ready` line: readable lines on a terminal, JSON elsewhere. Redacts keys and passwords in all fields, and
 * bounds the size of a line: it cuts long texts and lists, and writes only known fields of an error.
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
          // Without a message, the line gets the message of the error.
          const words = rest.length === 0 && first instanceof Error ? [messageOf(first)] : rest.map(cutText)
          method.apply(this, [cutText(first), ...words] as Parameters<typeof method>)
        },
      },
    },
    isatty(2) ? readableLines() : pino.destination({ fd: 2, sync: false }),
  )
}

/** For people at a terminal; programs that collect logs get JSON. */
const readableLines = () =>
  pretty({ destination: 2, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true })

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

// Fields with which drivers and the system describe the origin of an error. Not `query`, `parameters`, `detail`, `where`, `command`
// and similar ones: they contain data of users.
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

/** The message without the quoted value that PostgreSQL includes in errors of class 22 (data exceptions). */
function messageOf(error: Error): string {
  const { code } = error as { code?: unknown }
  return cut(/^22...$/.test(String(code)) ? error.message.replace(/"[\s\S]*"/, '"…"') : error.message)
}
