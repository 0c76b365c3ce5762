import { z } from 'zod'
import type { Ctx } from '../../ctx.js'
import { contentOf } from '../../transfer/slack/content.js'
import { noReferences, type References } from '../../transfer/source.js'
import { structured, text } from './args.js'
import { placeOf, userOf } from './ids.js'
import { SlackError } from './slack-error.js'

// Slack's own bounds.
const mostBlocks = 50
const mostAttachments = 100

const blockTypes = [
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'markdown',
  'rich_text',
  'section',
  'table',
  'video',
] as const

/** What a message has as its content. */
export const contentArgs = {
  text: text().optional(),
  markdown_text: text().optional(),
  blocks: structured(z.array(z.looseObject({ type: z.literal(blockTypes) })).max(mostBlocks)).optional(),
  attachments: structured(z.array(z.looseObject({})).max(mostAttachments)).optional(),
}

/** The Markdown of a message. @throws {SlackError} no_text */
export function markdownOf(ctx: Ctx, args: z.output<z.ZodObject<typeof contentArgs>>): string {
  const { text = '', blocks, attachments, markdown_text } = args
  const markdown = markdown_text ?? contentOf({ text, blocks, attachments }, referencesOf(ctx), new Map())
  if (markdown.trim() === '') throw new SlackError('no_text')
  return markdown
}

const referencesOf = ({ directory }: Ctx): References => ({
  ...noReferences,
  all: '@**all**',
  // By the id alone: a name might be one that the caller may not know.
  person(id: string) {
    const user = userOf(id)
    return user !== undefined && directory.users.has(user) ? `@**|${user}**` : undefined
  },
  channel(id: string) {
    const place = placeOf(id)
    const channel = place && 'channelId' in place ? directory.channels.get(place.channelId) : undefined
    return channel && !channel.invite_only ? `#**${channel.name}**` : undefined
  },
})
