import { z } from 'zod'
import { withText } from '../git-texts.js'
import { type IncomingMessage, type Integration, UnsupportedEvent } from '../integration.js'
import { says } from '../says.js'

const mostChanges = 200

const person = z.object({ displayName: z.string() })
const text = z.string().nullish()
const payload = z.object({
  webhookEvent: z.string(),
  user: person.nullish(),
  issue: z
    .object({
      key: z.string(),
      self: z.string(),
      fields: z.object({
        summary: z.string(),
        priority: z.object({ name: z.string() }).nullish(),
        assignee: person.nullish(),
      }),
    })
    .optional(),
  changelog: z
    .object({ items: z.array(z.object({ field: z.string(), fromString: text, toString: text })).max(mostChanges) })
    .nullish(),
  comment: z.object({ body: z.string(), author: person.nullish(), updateAuthor: person.nullish() }).optional(),
})
type Payload = z.output<typeof payload>

interface Issue {
  readonly title: string
  readonly link: string
  readonly priority: string | undefined
  readonly assignee: string | undefined
}

/** The text about an issue; empty: nothing is said. */
type Say = (payload: Payload, issue: Issue) => string

const userOf = ({ user, comment }: Payload): string =>
  (user ?? comment?.updateAuthor ?? comment?.author)?.displayName ?? 'A user'

const comments =
  (verb: string): Say =>
  (given, { link }) =>
    withText(`${userOf(given)} ${verb} ${link}`, given.comment?.body)

const changes: Say = (given, issue) => {
  const lines = (given.changelog?.items ?? []).map(
    ({ field, fromString: from, toString: to }) =>
      `* Changed ${field}${from ? ` from **${from}**` : ''} to **${to || 'none'}**`,
  )
  if (lines.length > 0) return [`${userOf(given)} updated ${issue.link}:`, '', ...lines].join('\n')
  // Older versions send a new comment so.
  return given.comment ? comments('commented on')(given, issue) : ''
}

const events: ReadonlyMap<string, Say> = new Map<string, Say>([
  [
    'jira:issue_created',
    (given, { link, priority, assignee }) =>
      [
        `${userOf(given)} created ${link}:`,
        '',
        `* **Priority**: ${priority ?? 'none'}`,
        `* **Assignee**: ${assignee ?? 'none'}`,
      ].join('\n'),
  ],
  ['jira:issue_deleted', (given, { link }) => `${userOf(given)} deleted ${link}.`],
  ['jira:issue_updated', changes],
  ['comment_created', comments('commented on')],
  ['comment_updated', comments('updated a comment on')],
  ['comment_deleted', comments('deleted a comment on')],
])
const ignored = /^(?:worklog|sprint|issuelink|attachment|jira:worklog|jira:version)_/

export const jira: Integration = {
  name: 'jira',
  displayName: 'Jira',
  eventTypes: [...events.keys()],
  setUp: '*System*, *Webhooks*, *Create a webhook*: the address as *URL*, and the events of issues and comments.',
  isTwiceEncoded: true,
  read(delivery) {
    const said = messageOf(delivery)
    return said ? [said] : []
  },
}

const messageOf = says(payload, (given): IncomingMessage | undefined => {
  const event = given.webhookEvent
  if (ignored.test(event)) return undefined
  const say = events.get(event)
  if (!say || !given.issue) throw new UnsupportedEvent(event)
  const { key, self, fields } = given.issue
  const title = `${key}: ${fields.summary}`
  const content = say(given, {
    title,
    link: `[${title}](${baseOf(self)}/browse/${key})`,
    priority: fields.priority?.name,
    assignee: fields.assignee?.displayName,
  })
  return content === '' ? undefined : { topic: title, content, event }
})

/** The address of the server, from that of an issue in its interface. */
const baseOf = (self: string): string => self.replace(/\/rest\/.*$/s, '')
