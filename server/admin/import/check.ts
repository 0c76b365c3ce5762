import type { Command } from 'commander'
import { type Checked, checkArchive } from '../../transfer/check.js'
import type { FaultKind } from '../../transfer/faults.js'
import { UnusableArchive } from '../../transfer/source.js'
import { AdminError } from '../admin-error.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print, printable } from '../output.js'
import { shownTo } from '../progress.js'

/** The command `import check`: what is in an archive of another chat server. */
export function addCheckCommand(imports: Command): void {
  leaf(
    imports,
    'check',
    'Reads the archive of another chat server (Slack, Mattermost, Discord, Zulip) and says what is in it; changes nothing.',
    ['import check acme-slack-export.zip'],
  )
    .argument('<file>', 'the archive as it was downloaded: ZIP, tar.gz, or a single .jsonl or .json')
    .action(async (file: string, _: Json, command: Command) => {
      // `import` takes its own option --json out of the line before its subcommand sees it.
      const { json } = command.optsWithGlobals<Json>()
      const progress = shownTo(process.stderr)
      progress.begin(`reading ${file}`, 1)
      const checked = await usable(() => onOrganization(({ directory }) => checkArchive(file, directory)))
      progress.end()
      print(json, checked, linesOf(checked))
    })
}

/** Runs the work on an archive. @throws {AdminError} UNUSABLE_ARCHIVE */
export async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnusableArchive) throw new AdminError(error.message, 'UNUSABLE_ARCHIVE')
    throw error
  }
}

const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? '-'

const listed = (counts: Readonly<Record<string, number>>): string => {
  const texts = Object.entries(counts).map(([what, count]) => `${what} ${count}`)
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** A line of counts, each with what it counts. */
const counted = (heading: string, counts: Readonly<Record<string, number>>): string =>
  `${heading}: ${Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}`

/** What the check found. */
export function linesOf(checked: Checked): string[] {
  const { source, people, channels, messages, files, faults } = checked
  return [
    `archive of ${source}, messages from ${day(messages.first)} to ${day(messages.last)}`,
    counted('people', {
      persons: people.people,
      bots: people.bots,
      deactivated: people.deactivated,
      guests: people.guests,
      'with an account here': people.here,
      'senders in no list': people.unlisted,
    }),
    ...people.without_address.map(name => `  without an address: ${printable(name)}`),
    counted('channels', { public: channels.public, private: channels.private, 'of them archived': channels.archived }),
    ...channels.renamed.map(text => `  needs another name: ${printable(text)}`),
    `direct conversations: ${checked.conversations}`,
    `custom emoji: ${checked.custom_emoji}`,
    `replies in threads: ${messages.replies}`,
    `reactions: ${checked.reactions}`,
    counted('files', { 'in the archive': files.in_archive, 'to download': files.to_download, links: files.links }),
    `lost files: ${total(files.lost)}${listed(files.lost)}`,
    ...faults.flatMap(faultLines),
    sumOf(messages),
  ]
}

/** A kind of fault, with its first places. */
export const faultLines = ({ kind, count, first }: FaultKind): string[] => [
  `${kind}: ${count}`,
  ...first.map(text => `  ${printable(text)}`),
  ...(count > first.length ? [`  and ${count - first.length} more`] : []),
]

/** Where each message of the archive went. */
export function sumOf({ source, kept, dropped, faulty }: Checked['messages']): string {
  return `messages: source ${source} = kept ${kept} + dropped ${total(dropped)}${listed(dropped)} + faulty ${faulty}`
}
