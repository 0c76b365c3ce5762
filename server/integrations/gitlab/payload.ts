import { z } from 'zod'

export const project = z.object({ name: z.string(), web_url: z.string() })
export type Project = z.output<typeof project>

/** A person of an event; pushes and comments name one in another way. */
export const person = z.object({ name: z.string(), username: z.string().optional() })

export const commit = z.object({
  id: z.string(),
  message: z.string(),
  url: z.string(),
  author: z.object({ name: z.string() }),
})

/** A link to an issue or a merge request; with its title where the address gives the topic. */
export function linkOf(
  kind: 'issue' | 'MR',
  { iid, title, url }: { readonly iid: number; readonly title: string; readonly url: string },
  params: ReadonlyMap<string, string>,
): string {
  return `[${kind} #${iid}${params.has('topic') ? ` ${title}` : ''}](${url})`
}

/** The topic of an issue or a merge request. */
export const topicOf = (
  { name }: Project,
  kind: 'issue' | 'MR' | 'snippet',
  { number, title }: { readonly number: number; readonly title: string },
): string => `${name} / ${kind} #${number} ${title}`
