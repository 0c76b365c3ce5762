import { type Command, InvalidArgumentError } from 'commander'
import { type ExpiredPlace, previewRetention } from '../../actions/retention/preview.js'
import { restoreArchived } from '../../actions/retention/restore-archived.js'
import { archivedPlaces } from '../../store/messages/archived-messages.js'
import { accountOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { channelOf } from '../channel/describe.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, whole, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { type Columns, print, table } from '../output.js'

interface PreviewOptions {
  readonly days?: number
  readonly channel?: string
}

interface RestoreOptions {
  readonly message?: number[]
  readonly channel?: string
  readonly direct: boolean
  readonly sender?: string
  readonly since?: Date
  readonly yes: boolean
}

/** The commands `retention …`: which messages go because they are old, and which come back. */
export function addRetentionCommands(program: Command): void {
  const retention = program.command('retention').description('Messages that are deleted, and how to bring them back.')
  addPreview(retention)
  addRestore(retention)
}

const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? ''
const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

const columns: Columns<ExpiredPlace> = {
  place: one => (one.channel_id === null ? one.name : `#${one.name}`),
  days: one => one.days,
  messages: one => one.messages,
  oldest: one => day(one.oldest),
  newest: one => day(one.newest),
  files: one => one.files,
  size: one => mib(one.bytes),
  'goes from': one => one.applies_at?.toISOString().slice(0, 16) ?? 'now',
}

function addPreview(retention: Command): void {
  leaf(
    retention,
    'preview',
    'Says which messages are older than they are kept, and what the archive of deleted ones contains.',
    ['retention preview', 'retention preview --days 365 --channel design'],
  )
    .option('--days <days>', 'as if messages were kept so long', whole(1, 100_000))
    .option('--channel <channel>', 'only this channel, by its name, or # and its id')
    .action(async ({ json, days, channel }: PreviewOptions & Json) => {
      const preview = await onOrganization(ctx =>
        previewRetention(ctx, { days, channelId: channel === undefined ? undefined : channelOf(ctx, channel).id }),
      )
      const { expired, archive } = preview
      const kept = `the archive has ${archive.messages} deleted messages, and ${archive.files} files (${mib(archive.bytes)}); they are gone ${archive.days} days after their deletion`
      print(json, preview, [
        ...(expired.length === 0 ? ['no message is older than it is kept'] : table(columns, expired)),
        '',
        archive.messages === 0 ? 'the archive of deleted messages is empty' : kept,
      ])
    })
}

const messageId = whole(1, 9_999_999_999)

function addRestore(retention: Command): void {
  leaf(retention, 'restore', 'Brings deleted messages back, with their ids, reactions and files.', [
    'retention restore --message 134217801 --message 134217802',
    'retention restore --channel design --since 2026-11-28T08:00:00Z --yes',
  ])
    .option('--message <id>', 'this message; can be repeated', (text, all: number[] = []) => [...all, messageId(text)])
    .option('--channel <channel>', 'those of this channel, by its name, or # and its id')
    .option('--direct', 'direct messages', false)
    .option('--sender <account>', 'those that this account sent, by its address or its id')
    .option('--since <time>', 'those that were deleted since then, in ISO 8601', time)
    .addOption(yes())
    .action(async ({ json, ...options }: RestoreOptions & Json) => {
      const done = await onOrganization(async ctx => {
        const filter = {
          ids: options.message,
          channelId: options.channel === undefined ? undefined : channelOf(ctx, options.channel).id,
          senderId: options.sender === undefined ? undefined : accountOf(ctx, options.sender).id,
          since: options.since,
          isDirect: options.direct || undefined,
        }
        if (Object.values(filter).every(value => value === undefined)) {
          throw new AdminError('Say which: give --message, --channel, --direct, --sender or --since.', 'NOTHING_NAMED')
        }
        const [first] = await archivedPlaces(ctx.sql, filter, { after: 0, most: 1 })
        if (!first) throw new AdminError('The archive has no such messages.', 'NOT_FOUND')
        await confirmed(options.yes, 'Bring these messages back for all who could read them?')
        return restoreArchived(ctx, filter)
      })
      const left = `${done.expired} messages stay in the archive, because they would expire at once: set a longer time first`
      print(json, done, [`${done.restored} messages restored`, ...(done.expired > 0 ? [left] : [])])
    })
}

function time(text: string): Date {
  const at = new Date(text)
  if (/^\d{4}-\d\d-\d\d(T|$)/.test(text) && !Number.isNaN(at.getTime())) return at
  throw new InvalidArgumentError('It has to be a time such as 2026-11-28T08:00:00Z.')
}
