import type { Archive } from './archive.js'
import { discordSource } from './discord/discord-source.js'
import { mattermostSource } from './mattermost/mattermost-source.js'
import { slackSource } from './slack/slack-source.js'
import { type Source, UnusableArchive } from './source.js'
import { zulipSource } from './zulip/zulip-source.js'

/** The sources, each a folder: they do not know each other. */
const sources: readonly ((archive: Archive) => Source | undefined)[] = [
  slackSource,
  mattermostSource,
  discordSource,
  zulipSource,
]

/** The source that knows the format of the archive. @throws {UnusableArchive} */
export function sourceOf(archive: Archive): Source {
  for (const open of sources) {
    const source = open(archive)
    if (source) return source
  }
  const found = archive.names.slice(0, 5).join(', ')
  throw new UnusableArchive(
    `The archive is of no known server: it has neither users.json nor import.jsonl nor realm.json, nor files of DiscordChatExporter. It has: ${found === '' ? 'nothing' : found}.`,
  )
}
