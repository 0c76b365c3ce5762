import { z } from 'zod'
import { commitComment, withText } from '../git-texts.js'
import { UnsupportedEvent } from '../integration.js'
import { type Says, says } from '../says.js'
import { commit, linkOf, person, project, topicOf } from './payload.js'

const mostAssignees = 100

const item = z.object({ iid: z.number(), title: z.string(), url: z.string(), description: z.string().nullish() })
const changed = z.object({
  user: person,
  project,
  object_attributes: item.extend({
    action: z.string().default('open'),
    source_branch: z.string().optional(),
    target_branch: z.string().optional(),
  }),
  assignees: z.array(person).max(mostAssignees).default([]),
})
type Changed = z.output<typeof changed>

const assigned = ({ assignees }: Changed): string =>
  assignees.length === 0 ? '' : ` (assigned to ${assignees.map(({ name }) => name).join(', ')})`
const branches = ({ object_attributes: { source_branch, target_branch } }: Changed): string =>
  source_branch === undefined || target_branch === undefined ? '' : ` from \`${source_branch}\` to \`${target_branch}\``

const issueVerbs: Readonly<Record<string, string>> = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
}
const mergeVerbs: Readonly<Record<string, string>> = {
  ...issueVerbs,
  merge: 'merged',
  approved: 'approved',
  unapproved: 'unapproved',
}

const changes = (header: string, kind: 'issue' | 'MR', verbs: Readonly<Record<string, string>>): Says =>
  says(changed, (payload, params) => {
    const { user, project, object_attributes: one } = payload
    const verb = Object.hasOwn(verbs, one.action) ? verbs[one.action] : undefined
    if (verb === undefined) throw new UnsupportedEvent(`${header}:${one.action}`)
    const isNew = one.action === 'open'
    const sentence = [
      `${user.name} ${verb} ${linkOf(kind, one, params)}`,
      isNew || one.action === 'merge' ? branches(payload) : '',
      isNew ? assigned(payload) : '',
    ].join('')
    return {
      topic: topicOf(project, kind, { number: one.iid, title: one.title }),
      content: withText(sentence, isNew ? one.description : undefined),
      event: `${header} ${one.action}`,
    }
  })

const note = z.object({
  user: person,
  project,
  object_attributes: z.object({ note: z.string(), noteable_type: z.string(), url: z.string() }),
  commit: commit.pick({ id: true, url: true }).optional(),
  issue: item.pick({ iid: true, title: true }).optional(),
  merge_request: item.pick({ iid: true, title: true }).optional(),
  snippet: z.object({ id: z.number(), title: z.string() }).optional(),
})

const commented = (header: string): Says =>
  says(note, ({ user, project, object_attributes: one, commit, issue, merge_request, snippet }, params) => {
    const event = `${header} ${one.noteable_type}`
    if (commit) {
      const comment = { sha: commit.id, commitUrl: commit.url, url: one.url, text: one.note }
      return { topic: project.name, content: commitComment(user.name, comment), event }
    }
    const [kind, about] = issue
      ? (['issue', { ...issue, number: issue.iid }] as const)
      : merge_request
        ? (['MR', { ...merge_request, number: merge_request.iid }] as const)
        : snippet
          ? (['snippet', { ...snippet, number: snippet.id }] as const)
          : []
    if (kind === undefined) throw new UnsupportedEvent(event)
    const title = params.has('topic') ? ` ${about.title}` : ''
    const content = withText(`${user.name} [commented](${one.url}) on ${kind} #${about.number}${title}`, one.note)
    return { topic: topicOf(project, kind, about), content, event }
  })

/** By the header of the event. */
export const tracker: Readonly<Record<string, Says>> = {
  'Issue Hook': changes('Issue Hook', 'issue', issueVerbs),
  'Confidential Issue Hook': changes('Confidential Issue Hook', 'issue', issueVerbs),
  'Merge Request Hook': changes('Merge Request Hook', 'MR', mergeVerbs),
  'Note Hook': commented('Note Hook'),
  'Confidential Note Hook': commented('Confidential Note Hook'),
}

export const trackerEvents = [
  ...['Issue Hook', 'Confidential Issue Hook'].flatMap(header =>
    Object.keys(issueVerbs).map(verb => `${header} ${verb}`),
  ),
  ...Object.keys(mergeVerbs).map(verb => `Merge Request Hook ${verb}`),
  ...['Commit', 'MergeRequest', 'Issue', 'Snippet'].map(kind => `Note Hook ${kind}`),
  'Confidential Note Hook Issue',
]
