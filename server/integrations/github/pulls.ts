import { z } from 'zod'
import { withText } from '../git-texts.js'
import { UnsupportedEvent } from '../integration.js'
import { type Says, says } from '../says.js'
import { comment, common, issue, linkOf, sender, topicOf } from './payload.js'

const pull = common.extend({
  pull_request: issue.extend({
    merged: z.boolean().default(false),
    head: z.object({ ref: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
  assignee: sender.nullish(),
  requested_reviewer: sender.optional(),
  requested_team: z.object({ name: z.string() }).optional(),
})
type Pull = z.output<typeof pull>

/** A sentence about a pull request, after its user; `withBody`: its description follows. */
interface Act {
  readonly event: string
  readonly text: (link: string, payload: Pull) => string
  readonly withBody?: true
}

const branches = ({ pull_request: { head, base } }: Pull): string => ` from \`${head.ref}\` to \`${base.ref}\``
const plainly = (event: string, verb: string): Act => ({ event, text: link => `${verb} ${link}` })
const opens = (verb: string): Act => ({
  event: 'opened_pull_request',
  text: (link, payload) => `${verb} ${link}${branches(payload)}`,
  withBody: true,
})
const assigns = (verb: string, word: string): Act => ({
  event: 'assigned_or_unassigned_pull_request',
  text: (link, { assignee }) => `${verb} ${assignee?.login ?? ''} ${word} ${link}`,
})

const acts: Readonly<Record<string, Act>> = {
  opened: opens('opened'),
  reopened: opens('reopened'),
  synchronize: plainly('updated_pull_request', 'updated'),
  edited: plainly('updated_pull_request', 'edited'),
  closed: {
    event: 'closed_pull_request',
    text: (link, payload) =>
      payload.pull_request.merged ? `merged ${link}${branches(payload)}` : `closed without merge ${link}`,
  },
  assigned: assigns('assigned', 'to'),
  unassigned: assigns('unassigned', 'from'),
  locked: plainly('locked_or_unlocked_pull_request', 'locked'),
  unlocked: plainly('locked_or_unlocked_pull_request', 'unlocked'),
  ready_for_review: {
    event: 'pull_request_ready_for_review',
    text: link => `marked ${link} as ready for review`,
  },
  review_requested: {
    event: 'pull_request_review_requested',
    text: (link, { requested_reviewer, requested_team }) =>
      `requested ${requested_reviewer?.login ?? requested_team?.name ?? ''} for a review on ${link}`,
  },
  auto_merge_enabled: plainly('pull_request_auto_merge', 'enabled auto merge for'),
  auto_merge_disabled: plainly('pull_request_auto_merge', 'disabled auto merge for'),
}
const ignored: ReadonlySet<string> = new Set([
  'approved',
  'labeled',
  'unlabeled',
  'converted_to_draft',
  'review_request_removed',
])

const changed = says(pull, (payload, params) => {
  const { action, sender, repository, pull_request: one } = payload
  if (ignored.has(action)) return undefined
  const act = Object.hasOwn(acts, action) ? acts[action] : undefined
  if (!act) throw new UnsupportedEvent(`pull_request:${action || '???'}`)
  const sentence = `${sender.login} ${act.text(linkOf('PR', one, params), payload)}`
  return {
    topic: topicOf(repository, 'PR', one),
    content: withText(sentence, act.withBody && one.body),
    event: act.event,
  }
})

const review = common.extend({
  pull_request: issue,
  review: z.object({ html_url: z.string(), body: z.string().nullish() }),
})
const reviewComment = common.extend({ pull_request: issue, comment })

/** By the header of the event. */
export const pulls: Readonly<Record<string, Says>> = {
  pull_request: changed,
  pull_request_review: says(review, ({ action, sender, repository, pull_request, review }, params) => ({
    topic: topicOf(repository, 'PR', pull_request),
    content: withText(
      `${sender.login} ${action} [PR review](${review.html_url}) on ${linkOf('PR', pull_request, params)}`,
      review.body,
    ),
    event: 'pull_request_review',
  })),
  pull_request_review_comment: says(reviewComment, ({ action, sender, repository, pull_request, comment }, params) => ({
    topic: topicOf(repository, 'PR', pull_request),
    content: withText(
      `${sender.login} ${action} [PR review comment](${comment.html_url}) on ${linkOf('PR', pull_request, params)}`,
      comment.body,
    ),
    event: 'pull_request_review_comment',
  })),
}

const changes: ReadonlySet<string> = new Set(Object.values(acts).map(({ event }) => event))
export const pullEvents: readonly string[] = [...changes, 'pull_request_review', 'pull_request_review_comment']
