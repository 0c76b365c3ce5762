import { z } from 'zod'
import { quotedByTildes } from '../../text/quote.js'
import { type IncomingMessage, type Integration, UnsupportedEvent } from '../integration.js'
import { says } from '../says.js'

const mostFrames = 500
const mostValues = 50
const text = z.string().nullish()

const frame = z.object({
  filename: text,
  lineno: z.number().nullish(),
  pre_context: z.array(z.string()).max(mostFrames).nullish(),
  context_line: text,
  post_context: z.array(z.string()).max(mostFrames).nullish(),
  in_app: z.boolean().nullish(),
})
const event = z.object({
  title: z.string(),
  web_url: text,
  level: text,
  timestamp: z.union([z.string(), z.number()]).nullish(),
  datetime: text,
  message: text,
  platform: text,
  exception: z
    .object({
      values: z
        .array(z.object({ stacktrace: z.object({ frames: z.array(frame).max(mostFrames).nullish() }).nullish() }))
        .max(mostValues)
        .nullish(),
    })
    .nullish(),
})
const person = z.object({ name: z.string() })
const issue = z.object({
  title: z.string(),
  web_url: text,
  permalink: text,
  level: text,
  firstSeen: text,
  lastSeen: text,
  assignedTo: person.nullish(),
})
const payload = z.object({
  action: z.string().nullish(),
  actor: person.nullish(),
  data: z.object({ event: event.optional(), issue: issue.optional() }),
})
type Payload = z.output<typeof payload>

/** What comes from the integrations of an organization; Sentry chooses the secret of their signatures, so it cannot be the key of a bot. */
export const sentry: Integration = {
  name: 'sentry',
  displayName: 'Sentry',
  eventTypes: null,
  setUp:
    '*Settings*, *Developer Settings*, *Custom Integrations*, a new *Internal Integration*: the address as *Webhook URL*, *Alert Rule Action*, and the webhook *issue*. An alert then has the action *Send a notification via* this integration.',
  read(delivery) {
    const said = messageOf(delivery)
    return said ? [said] : []
  },
}

const messageOf = says(payload, said => {
  const { event, issue } = said.data
  if (event) return messageOfEvent(event)
  if (issue) return messageOfIssue(issue, said)
  throw new UnsupportedEvent(said.action ?? '???')
})

function messageOfEvent(one: z.output<typeof event>): IncomingMessage {
  const frames = (one.exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
  const place = frames.findLast(({ in_app }) => in_app) ?? frames.at(-1)
  const facts = {
    level: one.level,
    timestamp: timeOf(one.datetime ?? one.timestamp),
    filename: place?.filename && `\`${place.filename}\`${place.lineno == null ? '' : `, line ${place.lineno}`}`,
  }
  const lines = place
    ? [
        ...(place.pre_context ?? []).map(line => `   ${line}`),
        ...(place.context_line == null ? [] : [`-> ${place.context_line}`]),
        ...(place.post_context ?? []).map(line => `   ${line}`),
      ]
    : []
  const content = [
    `**New event:** ${linked(one.title, one.web_url)}`,
    listOf(facts),
    lines.length > 0 ? codeBlock(lines.join('\n'), one.platform ?? '') : one.message ? quotedByTildes(one.message) : '',
  ]
  return { topic: one.title, content: content.filter(part => part !== '').join('\n\n') }
}

const verbs: Readonly<Record<string, string>> = {
  created: 'was created',
  resolved: 'was resolved',
  assigned: 'was assigned',
  ignored: 'was ignored',
  archived: 'was archived',
  unresolved: 'was reopened',
}

function messageOfIssue(one: z.output<typeof issue>, { action, actor }: Payload): IncomingMessage {
  const verb = action != null && Object.hasOwn(verbs, action) ? verbs[action] : undefined
  if (verb === undefined) throw new UnsupportedEvent(`issue:${action ?? '???'}`)
  const to = action === 'assigned' && one.assignedTo ? ` to ${one.assignedTo.name}` : ''
  const by = action !== 'created' && actor ? ` by ${actor.name}` : ''
  const facts = action === 'created' ? { level: one.level, timestamp: timeOf(one.firstSeen) } : {}
  const sentence = `Issue ${linked(one.title, one.web_url ?? one.permalink)} ${verb}${to}${by}.`
  return { topic: one.title, content: [sentence, listOf(facts)].filter(part => part !== '').join('\n\n') }
}

const linked = (title: string, url: string | null | undefined): string => (url ? `[${title}](${url})` : title)

function timeOf(given: string | number | null | undefined): string {
  const time = typeof given === 'number' ? new Date(given * 1000) : new Date(given ?? '')
  return Number.isNaN(time.getTime()) ? '' : `<time:${time.toISOString()}>`
}

const listOf = (facts: Readonly<Record<string, string | null | undefined>>): string =>
  Object.entries(facts)
    .filter(([, value]) => value)
    .map(([name, value]) => `* **${name}**: ${value}`)
    .join('\n')

// A line of the code cannot close it.
function codeBlock(code: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}${/^[\w+-]+$/.test(language) ? language : ''}\n${code}\n${fence}`
}
