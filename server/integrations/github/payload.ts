import { z } from 'zod'

export const sender = z.object({ login: z.string() })
export const repository = z.object({
  name: z.string(),
  full_name: z.string(),
  html_url: z.string(),
  private: z.boolean().default(false),
})
/** What each event of a repository has. */
export const common = z.object({ action: z.string().default(''), sender, repository })

export const issue = z.object({
  number: z.number(),
  title: z.string(),
  html_url: z.string(),
  body: z.string().nullish(),
  pull_request: z.object({}).nullish(),
})
export const comment = z.object({ html_url: z.string(), body: z.string() })

type Numbered = Pick<z.output<typeof issue>, 'number' | 'title'>

/** The topic of an issue or a pull request. */
export const topicOf = (repo: { name: string }, kind: 'issue' | 'PR', { number, title }: Numbered): string =>
  `${repo.name} / ${kind} #${number} ${title}`

/** A link to it; with its title where the address gives the topic. */
export function linkOf(
  kind: 'issue' | 'PR',
  one: Numbered & { html_url: string },
  params: ReadonlyMap<string, string>,
): string {
  const title = params.has('topic') ? ` ${one.title}` : ''
  return `[${kind} #${one.number}${title}](${one.html_url})`
}
