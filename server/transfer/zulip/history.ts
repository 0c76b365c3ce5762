import { budgets } from '../../config/budgets.js'
import { inside, type Loose, listOf, textOf } from '../loose.js'
import type { References, SourceEdit } from '../source.js'
import { idOf, timeOf } from './realm.js'

/** The earlier texts and places of a message, the oldest first; undefined: they cannot be read. */
export function editsOf(
  message: Loose,
  {
    keyOf,
    channelOf,
    markdown,
  }: {
    /** Of a person. */
    readonly keyOf: (id: number) => string
    /** The key of a channel, if the archive has it. */
    readonly channelOf: (id: number) => string | undefined
    readonly markdown: (content: string, html: string, names: References) => string
  },
): SourceEdit[] | undefined {
  const history = listIn(message.edit_history)
  if (!history) return undefined
  let [topic, channel] = [textOf(message.subject), idOf(message.channel)]
  const edits: SourceEdit[] = []
  for (const edit of history.slice(0, budgets.editsKept.most).map(inside)) {
    const editor = idOf(edit.user_id)
    const [content, html] = [edit.prev_content, textOf(edit.prev_rendered_content)]
    const [wasTopic, wasChannel] = [edit.prev_topic, idOf(edit.prev_stream)]
    const place = { topic, channel }
    if (typeof wasTopic === 'string') topic = textOf(wasTopic)
    if (wasChannel !== undefined) channel = wasChannel
    const channels = [wasChannel, idOf(edit.stream) ?? place.channel].map(id => (id === undefined ? id : channelOf(id)))
    const [before, after] = channels
    edits.push({
      editor: editor === undefined ? null : keyOf(editor),
      at: timeOf(edit.timestamp) ?? timeOf(message.date_sent) ?? new Date(0),
      content: typeof content === 'string' ? names => markdown(textOf(content), html, names) : null,
      topic: typeof wasTopic === 'string' ? [topic, place.topic] : null,
      channel: before === undefined || after === undefined ? null : [before, after],
    })
  }
  return edits.reverse()
}

/** It is JSON in a text, the newest first. */
function listIn(history: unknown): readonly unknown[] | undefined {
  if (typeof history !== 'string') return listOf(history)
  try {
    return listOf(JSON.parse(history))
  } catch {
    return undefined
  }
}
