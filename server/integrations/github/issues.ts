import { z } from 'zod'
import { withText } from '../git-texts.js'
import { UnsupportedEvent } from '../integration.js'
import { type Says, says } from '../says.js'
import { comment, common, issue, linkOf, sender, topicOf } from './payload.js'

const onIssue = common.extend({
  issue: issue.extend({ milestone: z.object({ title: z.string() }).nullish() }),
  assignee: sender.nullish(),
  label: z.object({ name: z.string() }).optional(),
  milestone: z.object({ title: z.string() }).nullish(),
})
type OnIssue = z.output<typeof onIssue>

interface Act {
  readonly event?: string
  readonly text: (link: string, payload: OnIssue) => string
}

const labels = (verb: string, word: string): Act => ({
  event: 'issue_labeled_or_unlabeled',
  text: (link, { label }) => `${verb} the label ${label?.name ?? ''} ${word} ${link}`,
})
const milestones = (verb: string, word: string): Act => ({
  event: 'issue_milestoned_or_demilestoned',
  text: (link, { milestone, issue }) =>
    `${verb} the milestone ${milestone?.title ?? issue.milestone?.title ?? ''} ${word} ${link}`,
})
const plainly = (verb: string): Act => ({ text: link => `${verb} ${link}` })

const acts: Readonly<Record<string, Act>> = {
  ...Object.fromEntries(
    ['opened', 'edited', 'closed', 'reopened', 'deleted', 'pinned', 'unpinned', 'locked', 'unlocked'].map(verb => [
      verb,
      plainly(verb),
    ]),
  ),
  assigned: { text: (link, { assignee }) => `assigned ${assignee?.login ?? ''} to ${link}` },
  unassigned: { text: (link, { assignee }) => `unassigned ${assignee?.login ?? ''} from ${link}` },
  labeled: labels('added', 'to'),
  unlabeled: labels('removed', 'from'),
  milestoned: milestones('added', 'to'),
  demilestoned: milestones('removed', 'from'),
  transferred: { event: 'issues_transferred', text: link => `transferred ${link}` },
}

const changed = says(onIssue, (payload, params) => {
  const { action, sender, repository, issue: one } = payload
  const act = Object.hasOwn(acts, action) ? acts[action] : undefined
  if (!act) throw new UnsupportedEvent(`issues:${action || '???'}`)
  const sentence = `${sender.login} ${act.text(linkOf('issue', one, params), payload)}`
  return {
    topic: topicOf(repository, 'issue', one),
    content: withText(sentence, action === 'opened' ? one.body : undefined),
    event: act.event ?? 'issues',
  }
})

const onComment = common.extend({
  issue,
  comment,
  changes: z.object({ body: z.object({}).optional() }).optional(),
})
const verbs: Readonly<Record<string, string>> = {
  created: 'commented',
  edited: 'edited a comment',
  deleted: 'deleted a comment',
}

const commented = says(onComment, ({ action, sender, repository, issue: one, comment, changes }, params) => {
  if (action === 'edited' && !changes?.body) return undefined
  const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined
  if (verb === undefined) throw new UnsupportedEvent(`issue_comment:${action || '???'}`)
  const kind = one.pull_request ? 'PR' : 'issue'
  const sentence = `${sender.login} [${verb}](${comment.html_url}) on ${linkOf(kind, one, params)}`
  return { topic: topicOf(repository, kind, one), content: withText(sentence, comment.body), event: 'issue_comment' }
})

/** By the header of the event. */
export const issues: Readonly<Record<string, Says>> = { issues: changed, issue_comment: commented }

export const issueEvents = [
  'issues',
  'issue_comment',
  'issue_labeled_or_unlabeled',
  'issue_milestoned_or_demilestoned',
  'issues_transferred',
] as const
