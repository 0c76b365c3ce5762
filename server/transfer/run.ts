import type { Ctx } from '../ctx.js'
import { beginDownloads } from '../store/imports/import-files.js'
import { readObjects } from '../store/imports/import-objects.js'
import { analyzeImported } from '../store/imports/imported-messages.js'
import {
  type ImportRow,
  type ImportState,
  importById,
  importOf,
  noteFaults,
  setState,
  whileAlone,
} from '../store/imports/imports.js'
import { withSource } from './check.js'
import { Faults } from './faults.js'
import { OtherImportRuns, type Source, type SourceLists, UnusableArchive } from './source.js'
import { storeArchivedFiles } from './writer/archived-files.js'
import { importChannels } from './writer/channels.js'
import { digestOf } from './writer/digest.js'
import { importEmoji } from './writer/emoji.js'
import { importGroups } from './writer/groups.js'
import { hereOf } from './writer/here.js'
import { importMessages } from './writer/messages.js'
import { importPeople } from './writer/people.js'
import { importPolicies } from './writer/policies.js'
import { type ImportOptions, prepareImport } from './writer/prepare.js'
import { receivedIn } from './writer/received.js'

interface RunOptions extends ImportOptions {
  /** `messages`: stored since the last call. */
  readonly advance?: (messages: number) => void
}

/**
 * Imports the archive of another server into the organization, while people work in it. An import that was interrupted goes on where it was;
 * one that is finished is not repeated. Files of the archive are stored last, and workers download the others afterwards.
 * @throws {UnusableArchive} before anything is written
 */
export async function runImport(ctx: Ctx, file: string, options: RunOptions): Promise<ImportRow> {
  const digest = await digestOf(file)
  const faults = new Faults()
  const alone = await whileAlone(ctx.sql, () =>
    withSource(file, faults, async source => {
      const known = await importOf(ctx.sql, digest)
      const id = known?.id ?? (await prepareImport(ctx, { source, digest, faults, options }))
      const lists = await source.lists(new Faults())
      return await new Run(ctx, { id, source, lists, advance: options.advance ?? (() => {}) }).finish()
    }),
  )
  if (!alone) throw new OtherImportRuns()
  return alone.value
}

interface Running {
  readonly id: number
  readonly source: Source
  readonly lists: SourceLists
  readonly advance: (messages: number) => void
}

/** What follows a step, and the records that are read then. */
type Next = Pick<ImportRow, 'state' | 'done'>

/** An import from its state on. Each step can be repeated: what it has done is stored with its work. */
class Run {
  private readonly steps: Readonly<
    Record<Exclude<ImportState, 'finished' | 'undoing'>, (row: ImportRow) => Promise<Next>>
  > = {
    people: async row => {
      await importPeople(this.ctx, row, {
        objects: await readObjects(this.ctx.sql, row.id),
        people: this.running.lists.people,
      })
      const { source, lists } = this.running
      // Of an attempt before: its groups and emoji are tried again.
      const faults = new Faults()
      await importGroups(this.ctx, row, { groups: lists.groups, here: await this.here(), faults })
      await importEmoji(this.ctx, row, {
        source,
        emoji: lists.customEmoji,
        people: lists.people,
        here: await this.here(),
        faults,
      })
      await noteFaults(this.ctx.sql, row.id, faults.list())
      return { state: 'messages', done: row.done }
    },
    messages: async row => {
      const { source, advance } = this.running
      return {
        state: 'channels',
        done: await importMessages(this.ctx, row, { source, here: await this.here(), advance }),
      }
    },
    channels: async row => {
      const { source, lists, advance } = this.running
      const here = await this.here()
      const received = await receivedIn(this.ctx, row, { source, channels: lists.channels, here })
      await importChannels(this.ctx, row, { channels: lists.channels, here, received })
      await importPolicies(this.ctx, { source, here })
      await analyzeImported(this.ctx.sql)
      await storeArchivedFiles(this.ctx, row.id, { source, state: 'waiting', advance: () => advance(0) })
      await beginDownloads(this.ctx.sql, row.id)
      return { state: 'finished', done: row.done }
    },
  }

  constructor(
    private readonly ctx: Ctx,
    private readonly running: Running,
  ) {}

  async finish(): Promise<ImportRow> {
    const { sql } = this.ctx
    for (;;) {
      const row = await importById(sql, this.running.id)
      if (!row) throw new Error('the import is not there')
      if (row.state === 'finished') return row
      if (row.state === 'undoing') throw new UnusableArchive('The import of this archive is being undone.')
      const { state, done } = await this.steps[row.state](row)
      await setState(sql, { ...row, done }, state)
    }
  }

  private async here() {
    return hereOf(this.running.lists, await readObjects(this.ctx.sql, this.running.id))
  }
}
