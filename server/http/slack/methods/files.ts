import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { count, structured, text, word } from '../args.js'
import { contentArgs, markdownOf } from '../content.js'
import { method } from '../method.js'
import { originOf, type SlackCall } from '../slack-call.js'
import { SlackError } from '../slack-error.js'
import { ticketFor, tickets } from '../ticket.js'
import { post } from './chat.js'

export const uploadPath = '/slack/upload'

// Bytes; the upload has the bounds of the server.
const longestFile = 999_999_999
const mostFiles = 10

const getUploadAddress = method({
  name: 'files.getUploadURLExternal',
  args: z.object({ filename: word(), length: count(longestFile) }),
  async handle(call, { filename, length }) {
    const { ctx, caller } = call
    if (length > ctx.config.maxFileUploadMib * 1024 * 1024) throw new SlackError('file_upload_size_restricted')
    const file_id = `F${randomBytes(8).toString('hex').toUpperCase()}`
    const ticket = ticketFor(ctx, tickets.upload, caller, [file_id, filename])
    return { file_id, upload_url: `${originOf(call)}${uploadPath}?ticket=${ticket}` }
  },
})

const fileArgs = z.object({ id: word(), title: z.string().max(400).optional() })

const completeUpload = method({
  name: 'files.completeUploadExternal',
  args: z.object({
    files: structured(z.array(fileArgs).min(1).max(mostFiles)),
    channel_id: word().optional(),
    channels: word().optional(),
    thread_ts: word().optional(),
    initial_comment: text().optional(),
    blocks: contentArgs.blocks,
  }),
  refusals: { BAD_REQUEST: 'restricted_action' },
  async handle(call, { files, channel_id, channels, thread_ts: thread, initial_comment, blocks }) {
    const [channel, ...others] = (channel_id ?? channels)?.split(',') ?? []
    if (others.length > 0) throw new SlackError('invalid_channel')
    const links = await linksOf(call, files)
    if (channel !== undefined) {
      const comment = initial_comment || blocks ? markdownOf(call.ctx, { text: initial_comment, blocks }) : ''
      const content = [comment, links.join('\n')].filter(part => part !== '').join('\n\n')
      await post(call, { channel, thread, content })
    }
    return { files: files.map(({ id, title = id }) => ({ id, title })) }
  },
})

/** @throws {SlackError} file_not_found */
async function linksOf(
  { ctx, caller }: SlackCall,
  files: readonly z.output<typeof fileArgs>[],
): Promise<readonly string[]> {
  const addresses = await Promise.all(files.map(({ id }) => ctx.slackPlaces.fileOf(caller.id, id)))
  return files.map(({ title }, i) => {
    const url = addresses[i]
    if (url === undefined) throw new SlackError('file_not_found')
    // Brackets and line ends would end the label.
    const label = (title ?? '').replace(/[[\]\s]+/g, ' ').trim()
    return `[${label || url.slice(url.lastIndexOf('/') + 1)}](${url})`
  })
}

export const fileMethods = [getUploadAddress, completeUpload]
