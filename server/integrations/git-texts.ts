import { quotedByTildes } from '../text/quote.js'

// What integrations of Git services say alike.

const mostCommits = 20
const mostAuthors = 3
const shaLength = 11

export interface Commit {
  readonly sha: string
  readonly url: string
  readonly message: string
  readonly author: string
}

export interface Push {
  readonly user: string
  readonly branch: string
  /** Where the change is shown. */
  readonly url: string
  readonly commits: readonly Commit[]
  readonly kind?: 'forced' | 'deleted' | undefined
}

export function pushText({ user, branch, url, commits, kind }: Push): string {
  if (kind === 'deleted') return `${user} [deleted](${url}) the branch ${branch}.`
  const verb = kind === 'forced' ? 'force pushed' : 'pushed'
  if (commits.length === 0) return `${user} [${verb}](${url}) the branch ${branch}.`
  const count = `${commits.length} commit${commits.length === 1 ? '' : 's'}`
  const shown = commits
    .slice(0, mostCommits)
    .map(({ sha, url, message }) => `* ${message.split('\n', 1)[0]} (${commitLink(sha, url)})`)
  const more = commits.length - shown.length
  return [
    `${user} [${verb}](${url}) ${count} to branch ${branch}.${authorsText(user, commits)}`,
    '',
    ...shown,
    ...(more > 0 ? [`[and ${more} more commit(s)]`] : []),
  ].join('\n')
}

/** Who made the commits, if another person than the one who pushed them did. */
function authorsText(user: string, commits: readonly Commit[]): string {
  const counts = new Map<string, number>()
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1)
  if (counts.size === 1 && counts.has(user)) return ''
  const authors = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  const named = authors.slice(0, mostAuthors).map(([author, n]) => `${author} (${n})`)
  const others = authors.slice(mostAuthors).reduce((sum, [, n]) => sum + n, 0)
  if (others > 0) named.push(`others (${others})`)
  const last = named.pop()
  return ` Commits by ${named.length > 0 ? `${named.join(', ')} and ${last}` : last}.`
}

export const commitLink = (sha: string, url: string): string => `[${sha.slice(0, shaLength)}](${url})`

/** A sentence, with the text of a person below it. */
export const withText = (sentence: string, text: string | null | undefined): string =>
  text?.trim() ? `${sentence}:\n\n${quotedByTildes(text.trim())}` : `${sentence}.`

/** A comment on a commit. */
export const commitComment = (
  user: string,
  {
    sha,
    commitUrl,
    url,
    text,
  }: { readonly sha: string; readonly commitUrl: string; readonly url: string; readonly text: string },
): string => `${user} [commented](${url}) on ${commitLink(sha, commitUrl)}:\n${quotedByTildes(text)}`

/** Branches are separated by commas; absent: all. */
export function isWantedBranch(branch: string, params: ReadonlyMap<string, string>): boolean {
  const wanted = params.get('branches')
  return wanted === undefined || wanted.split(',').some(one => one.trim() === branch)
}

/** A reference of Git. */
export function refOf(ref: string): { readonly branch: string } | { readonly tag: string } | undefined {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? []
  if (kind === undefined) return undefined
  return kind === 'heads' ? { branch: name } : { tag: name }
}
