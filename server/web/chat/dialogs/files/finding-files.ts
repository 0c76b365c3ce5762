import { createEffect, createMemo, createSignal, mapArray, on, onCleanup } from 'solid-js'
import { createAttempts } from '../../../look/attempts.js'
import type { LinkedFile } from '../../../state/attached-files.js'
import type { Message } from '../../../state/chat-state.js'
import type { Term } from '../../../state/narrow.js'
import type { Chat } from '../../chat.js'
import { askForMessages } from '../../history.js'
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

/** The files of the messages that `terms` mean and the user may read, page by page. They follow changes of the messages that were found. */
export function createFindingFiles(chat: Chat, terms: () => readonly Term[]): FindingFiles {
  const { error, isBusy, attempt } = createAttempts()
  const [ids, setIds] = createSignal<readonly number[]>([])
  const filesById = mapArray(ids, id =>
    createMemo(
      () => {
        const message = chat.state.messages[id]
        return message ? sentFilesOf(message) : []
      },
      // A row that the user is about to press stays.
      undefined,
      { equals: sameFiles },
    ),
  )
  const files = createMemo(() => filesById().flatMap(one => one()))
  const [oldest, setOldest] = createSignal<number>()
  let pages = 0
  const read = () =>
    attempt(async () => {
      const asked = terms()
      const before = oldest()
      const which = {
        narrow: [{ operator: 'has', operand: 'attachment' }, ...asked],
        ...(before === undefined ? { anchor: 'newest' } : { anchor: String(before), include_anchor: false }),
        num_before: perPage,
        num_after: 0,
      }
      await askForMessages(chat, which, ({ messages, found_oldest }, applyMissed) => {
        if (asked !== terms()) return
        chat.change(state => {
          for (const message of messages) state.messages[message.id] = message
          applyMissed(state)
        })
        setIds(present => [...present, ...messages.map(({ id }) => id).reverse()])
        pages += 1
        setOldest(found_oldest || pages === mostPages ? undefined : messages[0]?.id)
      })
    })
  createEffect(
    on(terms, (_, before) => {
      setIds([])
      setOldest(undefined)
      pages = 0
      const timer = setTimeout(() => void read(), before ? typingMs : 0)
      onCleanup(() => clearTimeout(timer))
    }),
  )
  return { files, error, isBusy, hasMore: () => oldest() !== undefined, more: async () => void (await read()) }
}

const sameFiles = (a: readonly SentFile[], b: readonly SentFile[]): boolean =>
  a.length === b.length && a.every((one, at) => one.address === b[at]?.address && one.name === b[at]?.name)

const sentFilesOf = (message: Message): SentFile[] => filesOfMarkup(message.content).map(file => ({ ...file, message }))
