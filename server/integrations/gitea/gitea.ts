import { z } from 'zod'
import { ApiError } from '../../../shared/errors.js'
import { isWantedBranch, pushText, refOf, withText } from '../git-texts.js'
import { type Integration, UnsupportedEvent } from '../integration.js'
import { type Says, says } from '../says.js'
import { hasHmac } from '../signatures.js'

const header = 'X-Gitea-Event'
const mostCommits = 2_000

const user = z.object({ login: z.string() })
const common = z.object({
  action: z.string().default(''),
  sender: user,
  repository: z.object({ name: z.string(), html_url: z.string() }),
})
const item = z.object({
  number: z.number(),
  title: z.string(),
  html_url: z.string(),
  body: z.string().nullish(),
  assignee: user.nullish(),
})
type Item = z.output<typeof item>

const topicOf = (repo: { name: string }, kind: 'issue' | 'PR', { number, title }: Item): string =>
  `${repo.name} / ${kind} #${number} ${title}`
const linkOf = (kind: 'issue' | 'PR', { number, title, html_url }: Item, params: ReadonlyMap<string, string>): string =>
  `[${kind} #${number}${params.has('topic') ? ` ${title}` : ''}](${html_url})`

const push = common.extend({
  ref: z.string(),
  compare_url: z.string(),
  commits: z
    .array(
      z.object({
        id: z.string(),
        message: z.string(),
        url: z.string(),
        author: z.object({ name: z.string(), username: z.string().optional() }),
      }),
    )
    .max(mostCommits),
})
const reference = common.extend({ ref: z.string(), ref_type: z.enum(['branch', 'tag']) })
const pull = common.extend({
  pull_request: item.extend({
    merged: z.boolean().default(false),
    head: z.object({ ref: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
})
const comment = common.extend({
  issue: item,
  comment: z.object({ html_url: z.string(), body: z.string() }),
  is_pull: z.boolean().default(false),
})
const release = common.extend({
  release: z.object({ name: z.string(), tag_name: z.string(), html_url: z.string() }),
})

/** What is done to an issue and to a pull request. */
const verbs: ReadonlyMap<string, string> = new Map([
  ['opened', 'opened'],
  ['closed', 'closed'],
  ['reopened', 'reopened'],
  ['edited', 'edited'],
  ['synchronized', 'updated'],
  ['assigned', 'assigned'],
  ['unassigned', 'unassigned'],
])
const ignored: ReadonlySet<string> = new Set([
  'label_updated',
  'label_cleared',
  'milestoned',
  'demilestoned',
  'review_requested',
  'review_request_removed',
])
const commentVerbs: ReadonlyMap<string, string> = new Map([
  ['created', 'commented'],
  ['edited', 'edited a comment'],
  ['deleted', 'deleted a comment'],
])

/** The verb of an action; undefined: nothing is said of it. @throws {UnsupportedEvent} */
function verbOf(event: string, action: string): string | undefined {
  if (ignored.has(action)) return undefined
  const verb = verbs.get(action)
  if (verb === undefined) throw new UnsupportedEvent(`${event}:${action || '???'}`)
  return verb
}

/** What was done to an issue or a pull request. */
const deed = (verb: string, { assignee }: Item, link: string): string =>
  verb === 'assigned' && assignee ? `assigned ${assignee.login} to ${link}` : `${verb} ${link}`

const changed = (event: 'create' | 'delete'): Says =>
  says(reference, ({ sender, repository: { name }, ref, ref_type }) => ({
    topic: name,
    content: `${sender.login} ${event}d ${ref_type} ${ref}.`,
    event,
  }))

/** By the header of the event. */
const events: Readonly<Record<string, Says>> = {
  push: says(push, ({ ref, sender, repository: { name }, compare_url: url, commits }, params) => {
    const target = refOf(ref)
    if (!target || !('branch' in target) || !isWantedBranch(target.branch, params)) return undefined
    const { branch } = target
    const shown = commits.map(({ id, author, ...one }) => ({ ...one, sha: id, author: author.username || author.name }))
    const content = pushText({ user: sender.login, branch, url, commits: shown })
    return { topic: `${name} / ${branch}`, content, event: 'push' }
  }),
  create: changed('create'),
  delete: changed('delete'),
  issues: says(common.extend({ issue: item }), ({ action, sender, repository, issue: one }, params) => {
    const verb = verbOf('issues', action)
    if (verb === undefined) return undefined
    const sentence = `${sender.login} ${deed(verb, one, linkOf('issue', one, params))}`
    const content = withText(sentence, action === 'opened' ? one.body : undefined)
    return { topic: topicOf(repository, 'issue', one), content, event: 'issues' }
  }),
  pull_request: says(pull, ({ action, sender, repository, pull_request: one }, params) => {
    const verb = verbOf('pull_request', action)
    if (verb === undefined) return undefined
    const isMerge = action === 'closed' && one.merged
    const branches = action === 'opened' || isMerge ? ` from \`${one.head.ref}\` to \`${one.base.ref}\`` : ''
    const done = isMerge ? 'merged' : action === 'closed' ? 'closed without merge' : verb
    const sentence = `${sender.login} ${deed(done, one, linkOf('PR', one, params))}${branches}`
    const content = withText(sentence, action === 'opened' ? one.body : undefined)
    return { topic: topicOf(repository, 'PR', one), content, event: 'pull_request' }
  }),
  issue_comment: says(
    comment,
    ({ action, sender, repository, issue, comment: { html_url, body }, is_pull }, params) => {
      const verb = commentVerbs.get(action)
      if (verb === undefined) throw new UnsupportedEvent(`issue_comment:${action || '???'}`)
      const kind = is_pull ? 'PR' : 'issue'
      const sentence = `${sender.login} [${verb}](${html_url}) on ${linkOf(kind, issue, params)}`
      return { topic: topicOf(repository, kind, issue), content: withText(sentence, body), event: 'issue_comment' }
    },
  ),
  release: says(release, ({ action, sender, repository, release: { name, tag_name, html_url } }) => ({
    topic: repository.name,
    content: `${sender.login} ${action} release [${name || tag_name}](${html_url}) for tag ${tag_name}.`,
    event: 'release',
  })),
}

export const gitea: Integration = {
  name: 'gitea',
  displayName: 'Gitea',
  eventTypes: Object.keys(events).toSorted(),
  setUp:
    'Gitea and Forgejo: *Settings*, *Webhooks*, *Add webhook*, *Gitea*: the address as *Target URL*, *POST* and *application/json*. With the key of the bot as *Secret*, the address has `bot=<user id of the bot>` in place of `api_key`. `branches=main,release` leaves out pushes to other branches.',
  isSigned: (delivery, key) => hasHmac(delivery.header('x-gitea-signature'), delivery.body, key),
  read(delivery) {
    const event = delivery.header(header.toLowerCase())
    if (event === '') throw new ApiError('MISSING_HTTP_EVENT_HEADER', `The header ${header} is missing.`, { header })
    const say = Object.hasOwn(events, event) ? events[event] : undefined
    if (!say) throw new UnsupportedEvent(event)
    const said = say(delivery)
    return said ? [said] : []
  },
}
