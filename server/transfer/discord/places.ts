import { firstText, type Loose } from '../loose.js'

/** The channel, thread or conversation of a file. */
export interface Place {
  /** The id of the channel, of a thread that of its parent. */
  readonly key: string
  readonly name: string
  readonly description: string
  /** The name of its category; '' without one. */
  readonly folder: string
  readonly isDirect: boolean
  /** The id of the thread; '' in a channel. */
  readonly thread: string
  readonly threadName: string
}

/** Undefined: it has no id. */
export function placeOf(channel: Loose): Place | undefined {
  const id = firstText(channel.id)
  const type = firstText(channel.type)
  if (id === '') return undefined
  const name = firstText(channel.name, id)
  if (/Thread$/.test(type)) {
    const parent = firstText(channel.categoryId, id)
    return {
      key: parent,
      name: firstText(channel.category, name),
      description: '',
      folder: '',
      isDirect: false,
      thread: id,
      threadName: name,
    }
  }
  const isDirect = type.startsWith('Direct')
  return {
    key: id,
    name,
    description: firstText(channel.topic),
    folder: isDirect ? '' : firstText(channel.category),
    isDirect,
    thread: '',
    threadName: '',
  }
}
