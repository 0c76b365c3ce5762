import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { createAttempts } from '../../../look/attempts.js'
import type { LinkedFile } from '../../../state/attached-files.js'
import type { Message } from '../../../state/chat-state.js'
import type { Term } from '../../../state/narrow.js'
import type { Chat } from '../../chat.js'
import { filesOfMarkup } from '../../markup.js'

export interface SentFile extends LinkedFile {
  readonly message: Message
}

export interface FindingFiles {
  /** Of the newest messages first. */
  readonly files: () => readonly SentFile[]
  readonly error: () => string
  readonly isBusy: () => boolean
  /** Whether older messages may have more, and the list has room for them. */
  readonly hasMore: () => boolean
  more(): Promise<void>
}

const perPage = 100
const mostPages = 20
const typingMs = 250

/** The files of the messages that `terms` mean and the user may read, page by page. */
export function createFindingFiles(chat: Chat, terms: () => readonly Term[]): FindingFiles {
  const { error, isBusy, attempt } = createAttempts()
  const [files, setFiles] = createSignal<readonly SentFile[]>([])
  const [oldest, setOldest] = createSignal<number>()
  let pages = 0
  const read = () =>
    attempt(async () => {
      const asked = terms()
      const before = oldest()
      // The cast: the client package knows no answers of single operations.
      const { messages, found_oldest } = (await chat.ask('GET', '/messages', {
        narrow: [{ operator: 'has', operand: 'attachment' }, ...asked],
        ...(before === undefined ? { anchor: 'newest' } : { anchor: String(before), include_anchor: false }),
        num_before: perPage,
        num_after: 0,
        client_gravatar: true,
        apply_markdown: true,
        allow_empty_topic_name: true,
      })) as unknown as { readonly messages: readonly Message[]; readonly found_oldest: boolean }
      if (asked !== terms()) return
      const found = messages.toReversed().flatMap(message => sentFilesOf(message))
      setFiles(present => [...present, ...found])
      pages += 1
      setOldest(found_oldest || pages === mostPages ? undefined : messages[0]?.id)
    })
  createEffect(
    on(terms, (_, before) => {
      setFiles([])
      setOldest(undefined)
      pages = 0
      const timer = setTimeout(() => void read(), before ? typingMs : 0)
      onCleanup(() => clearTimeout(timer))
    }),
  )
  return { files, error, isBusy, hasMore: () => oldest() !== undefined, more: async () => void (await read()) }
}

const sentFilesOf = (message: Message): SentFile[] => filesOfMarkup(message.content).map(file => ({ ...file, message }))
