import { z } from 'zod'
import { isWantedBranch, pushText, refOf } from '../git-texts.js'
import { type Says, says } from '../says.js'
import { commit, project } from './payload.js'

const mostCommits = 2_000
const noCommit = /^0+$/

const push = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  user_name: z.string(),
  project,
  commits: z.array(commit).max(mostCommits).default([]),
})

/** By the header of the event. */
export const pushes: Readonly<Record<string, Says>> = {
  'Push Hook': says(push, ({ ref, before, after, user_name: user, project: repo, commits }, params) => {
    const target = refOf(ref)
    if (!target || !('branch' in target) || !isWantedBranch(target.branch, params)) return undefined
    const content = pushText({
      user,
      branch: target.branch,
      url: `${repo.web_url}/-/compare/${before}...${after}`,
      commits: commits.map(({ id, author, ...one }) => ({ ...one, sha: id, author: author.name })),
      kind: noCommit.test(after) ? 'deleted' : undefined,
    })
    return { topic: `${repo.name} / ${target.branch}`, content, event: 'Push Hook' }
  }),
  'Tag Push Hook': says(push, ({ ref, after, user_name, project: repo }) => {
    const target = refOf(ref)
    if (!target || !('tag' in target)) return undefined
    const content = `${user_name} ${noCommit.test(after) ? 'removed' : 'pushed'} tag ${target.tag}.`
    return { topic: repo.name, content, event: 'Tag Push Hook' }
  }),
}
