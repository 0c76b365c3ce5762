import { type Command, InvalidArgumentError } from 'commander'
import { jobKinds } from '../../jobs/index.js'
import { deadJobs, discardJobs, findJob, type ListedJob, listJobs, repeatJobs } from '../../store/jobs/listed-jobs.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, noun, type Paged, paged, whole, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print, rest, table } from '../output.js'

interface Filters {
  readonly kind?: string
  readonly state?: ListedJob['state']
}

const jobId = whole(1, 9_999_999_999)
const ids = (text: string, all: readonly number[] = []): number[] => [...all, jobId(text)]
const kindOption = '--kind <kind>'
const stateNames = ['due', 'behind', 'dead'] as const

/** The commands `job …` for work that workers do later, again, or not any more. */
export function addJobCommands(program: Command): void {
  const job = noun(program, 'job', 'Work of the server that is due, that waits, or that has failed for the last time.')
  addList(job)
  leaf(job, 'show', 'Shows one job with its payload and its last error.', ['job show 4711'])
    .argument('<job>', 'its id', jobId)
    .action(async (id: number, { json }: Json) => {
      const found = await onOrganization(ctx => findJob(ctx.sql, id))
      if (!found) throw notThere(id)
      print(json, found, fields({ ...found, payload: JSON.stringify(found.payload) }))
    })
  leaf(job, 'repeat', 'Lets dead jobs run again, as if they were new.', ['job repeat 4711', 'job repeat --kind mail'])
    .argument('[jobs...]', 'ids; default: all dead ones', ids)
    .option(kindOption, 'only of this kind', oneOfKinds)
    .action(async (given: number[], { json, kind }: Filters & Json) => {
      const repeated = await onOrganization(async ({ sql }) =>
        repeatJobs(sql, given.length > 0 ? given : await deadJobs(sql, kind)),
      )
      print(json, { repeated }, [`${repeated.length} jobs run again`])
    })
  leaf(job, 'discard', 'Deletes jobs: what they were to do does not happen.', [
    'job discard 4711 --yes',
    'job discard --kind mail --yes',
  ])
    .argument('[jobs...]', 'ids; default: all dead ones', ids)
    .option(kindOption, 'only of this kind', oneOfKinds)
    .addOption(yes())
    .action(async (given: number[], { json, kind, yes }: Filters & { yes: boolean } & Json) => {
      const discarded = await onOrganization(async ({ sql }) => {
        const ids = given.length > 0 ? given : await deadJobs(sql, kind)
        await confirmed(yes, `Discard ${ids.length} jobs?`)
        return discardJobs(sql, ids)
      })
      print(json, { discarded }, [`${discarded.length} jobs discarded`])
    })
}

function addList(job: Command): void {
  paged(
    leaf(job, 'list', 'Lists jobs, oldest first.', [
      'job list',
      'job list --state dead',
      'job list --kind mail --json',
    ]),
  )
    .option(kindOption, 'only of this kind', oneOfKinds)
    .option('--state <state>', `only ${stateNames.join(', ')}`, oneOfStates)
    .action(async ({ json, limit, offset, ...filter }: Filters & Paged & Json) => {
      const { total, jobs } = await onOrganization(ctx => listJobs(ctx.sql, filter, { limit, offset }))
      const lines = table(
        {
          id: one => one.id,
          kind: one => one.kind,
          key: one => one.key ?? '',
          state: one => one.state,
          due: one => one.due.toISOString().slice(0, 19),
          attempts: one => one.attempts,
          error: one => one.error ?? '',
        },
        jobs,
      )
      print(json, { total, jobs }, [...lines, ...rest(jobs.length, total, offset)])
    })
}

const notThere = (id: number): AdminError => new AdminError(`There is no job ${id}.`, 'NOT_FOUND')

function oneOfKinds(text: string): string {
  const names = jobKinds().map(kind => kind.type.name)
  if (names.includes(text)) return text
  throw new InvalidArgumentError(`It has to be one of ${names.join(', ')}.`)
}

function oneOfStates(text: string): ListedJob['state'] {
  const found = stateNames.find(state => state === text)
  if (found) return found
  throw new InvalidArgumentError(`It has to be one of ${stateNames.join(', ')}.`)
}
