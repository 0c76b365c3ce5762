import { z } from 'zod'
import { withText } from '../git-texts.js'
import { type Says, says } from '../says.js'
import { person, project } from './payload.js'

const mostJobs = 500

const pipeline = z.object({
  project,
  object_attributes: z.object({ id: z.number(), ref: z.string(), status: z.string() }),
  builds: z
    .array(z.object({ id: z.number(), name: z.string(), status: z.string() }))
    .max(mostJobs)
    .default([]),
})
const job = z.object({
  ref: z.string(),
  build_id: z.number(),
  build_name: z.string(),
  build_status: z.string(),
  project: project.optional(),
  repository: z.object({ name: z.string(), homepage: z.string() }),
})
const page = z.object({
  user: person,
  project,
  object_attributes: z.object({
    title: z.string(),
    url: z.string(),
    action: z.string(),
    message: z.string().nullish(),
  }),
})
const release = z.object({
  name: z.string(),
  tag: z.string(),
  url: z.string(),
  action: z.string(),
  project,
})

const ran = (header: string): Says =>
  says(job, ({ ref, build_id, build_name, build_status, repository: { name, homepage } }) => ({
    topic: `${name} / ${ref}`,
    content: `Job [${build_name}](${homepage}/-/jobs/${build_id}): ${build_status}.`,
    event: header,
  }))

const verbs: ReadonlyMap<string, string> = new Map([
  ['create', 'created'],
  ['update', 'updated'],
  ['delete', 'deleted'],
])

/** By the header of the event. */
export const others: Readonly<Record<string, Says>> = {
  'Pipeline Hook': says(pipeline, ({ project: { name, web_url }, object_attributes: { id, ref, status }, builds }) => {
    const jobs = builds.map(one => `* [${one.name}](${web_url}/-/jobs/${one.id}): ${one.status}`)
    const sentence = `[Pipeline ${id}](${web_url}/-/pipelines/${id}): ${status}`
    const content = jobs.length === 0 ? `${sentence}.` : [`${sentence}, with the jobs`, '', ...jobs].join('\n')
    return { topic: `${name} / ${ref}`, content, event: 'Pipeline Hook' }
  }),
  'Job Hook': ran('Job Hook'),
  'Build Hook': ran('Build Hook'),
  'Wiki Page Hook': says(page, ({ user, project, object_attributes: { title, url, action, message } }) => ({
    topic: project.name,
    content: withText(`${user.name} ${verbs.get(action) ?? action} the wiki page [${title}](${url})`, message),
    event: `Wiki Page Hook ${action}`,
  })),
  'Release Hook': says(release, ({ name, tag, url, action, project }) => ({
    topic: project.name,
    content: `Release [${name}](${url}) for tag ${tag} ${verbs.get(action) ?? action}.`,
    event: 'Release Hook',
  })),
}

export const otherEvents = [
  'Pipeline Hook',
  'Job Hook',
  'Build Hook',
  'Release Hook',
  'Wiki Page Hook create',
  'Wiki Page Hook update',
]
