import { createSignal } from 'solid-js'
import type { Chat } from './chat.js'
import type { Drafts } from './drafts.js'
import type { Upload } from './upload.js'
import type { Uploads } from './uploads.js'

/** Attaches files to the texts of views. */
export interface Attaching {
  add(files: readonly File[], view: string): Promise<void>
  /** Files of a view whose links are not in its text yet, in the order in which they were chosen. */
  uploads(view: string): readonly Upload[]
  /** Sends one again that has failed. */
  retry(upload: Upload): void
  remove(upload: Upload): void
  /** Whether the text of a view waits for files. */
  isUnderWay(view: string): boolean
}

export function createAttaching(chat: Chat, drafts: Drafts): Attaching {
  const [uploads, setUploads] = createSignal<Uploads>()
  const list = (view: string) => uploads()?.list(view) ?? []
  return {
    uploads: list,
    isUnderWay: view => list(view).some(({ state }) => state().kind !== 'failed'),
    retry: upload => uploads()?.retry(upload),
    remove: upload => uploads()?.remove(upload),
    add: (files, view) =>
      chat.attempt(async () => {
        const { createUploads } = await import('./uploads.js')
        if (!uploads()) setUploads(createUploads(chat, drafts))
        uploads()?.add(files, view)
      }),
  }
}
