import { z } from 'zod'
import { commitComment, isWantedBranch, pushText, refOf } from '../git-texts.js'
import { type Says, says } from '../says.js'
import { comment, common, repository, sender } from './payload.js'

const mostCommits = 2_048
const mergeQueue = /^refs\/heads\/gh-readonly-queue\//

const push = z.object({
  ref: z.string(),
  compare: z.string(),
  forced: z.boolean().default(false),
  deleted: z.boolean().default(false),
  sender: sender.optional(),
  pusher: z.object({ name: z.string() }),
  repository,
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

const pushed = says(push, (payload, params) => {
  const { repository: repo, compare: url, commits, deleted, forced } = payload
  const ref = mergeQueue.test(payload.ref) ? undefined : refOf(payload.ref)
  const user = payload.sender?.login ?? payload.pusher.name
  if (!ref) return undefined
  if ('tag' in ref) {
    const content = `${user} ${deleted ? 'removed' : 'pushed'} tag ${ref.tag}.`
    return { topic: repo.name, content, event: 'push_tags' }
  }
  const { branch } = ref
  if (!isWantedBranch(branch, params)) return undefined
  const content = pushText({
    user,
    branch,
    url,
    commits: commits.map(({ id, author, ...one }) => ({ ...one, sha: id, author: author.username ?? author.name })),
    kind: deleted ? 'deleted' : forced ? 'forced' : undefined,
  })
  return { topic: `${repo.name} / ${branch}`, content, event: 'push_commits' }
})

const reference = common.extend({ ref: z.string(), ref_type: z.enum(['branch', 'tag']) })
const changed = (event: 'create' | 'delete'): Says =>
  says(reference, ({ sender, repository: { name }, ref, ref_type }) => ({
    topic: name,
    content: `${sender.login} ${event}d ${ref_type} ${ref}.`,
    event,
  }))

const onCommit = common.extend({ comment: comment.extend({ commit_id: z.string() }) })

/** By the header of the event. */
export const pushes: Readonly<Record<string, Says>> = {
  push: pushed,
  create: changed('create'),
  delete: changed('delete'),
  commit_comment: says(
    onCommit,
    ({ sender, repository: repo, comment: { commit_id: sha, html_url: url, body: text } }) => {
      const commitUrl = `${repo.html_url}/commit/${sha}`
      return {
        topic: repo.name,
        content: commitComment(sender.login, { sha, commitUrl, url, text }),
        event: 'commit_comment',
      }
    },
  ),
}

export const pushEvents = ['commit_comment', 'create', 'delete', 'push_commits', 'push_tags'] as const
