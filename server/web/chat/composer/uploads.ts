import { createSignal } from 'solid-js'
import { t } from '../../language/language.js'
import { refusalText } from '../../language/refusal-text.js'
import type { Chat } from '../chat.js'

export interface Upload {
  readonly name: string
  /** From 0 to 1. */
  readonly sent: () => number
  cancel(): void
}

interface Uploads {
  /** Uploads the files one after the other. `address`: the view in which they were chosen. */
  add(files: Iterable<File>, address: string): void
  /** Those that are under way or wait. */
  readonly list: () => readonly Upload[]
}

/** Files on their way to the server. `done` gets the Markdown that links to one. */
export function createUploads(chat: Chat, done: (markdown: string, address: string) => void): Uploads {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([])
  let last: Promise<void> = Promise.resolve()
  const start = (file: File, address: string) => {
    const request = new XMLHttpRequest()
    const [sent, setSent] = createSignal(0)
    const [isCancelled, setCancelled] = createSignal(false)
    const upload: Upload = {
      name: file.name,
      sent,
      cancel() {
        setCancelled(true)
        request.abort()
        remove()
      },
    }
    const remove = () => setUploads(all => all.filter(one => one !== upload))
    setUploads(all => [...all, upload])
    last = last.then(async () => {
      if (isCancelled()) return
      try {
        const url = await send(request, file, setSent)
        done(`[${file.name.replace(/[[\]\\]/g, '_')}](${url})`, address)
      } catch (error) {
        if (!isCancelled()) chat.say(t('composer.uploadFailed', file.name, (error as Error).message), 'bad')
      }
      remove()
    })
  }
  chat.onEnd(() => {
    for (const upload of uploads()) upload.cancel()
  })
  return {
    list: uploads,
    add(files, address) {
      for (const file of files) start(file, address)
    },
  }
}

/** `fetch` cannot report how much of a body was sent. Resolves with the address of the file. @throws {Error} with a sentence for people */
function send(request: XMLHttpRequest, file: File, progress: (sent: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    request.open('POST', '/json/user_uploads')
    request.responseType = 'json'
    request.upload.onprogress = event => event.lengthComputable && progress(event.loaded / event.total)
    request.onload = () => {
      const answer = (request.response ?? {}) as { result?: string; url?: string; code?: string; msg?: string }
      if (answer.result === 'success' && answer.url) resolve(answer.url)
      else reject(new Error(refusalText(answer.code, answer.msg || t('signIn.answered', request.status))))
    }
    request.onerror = () => reject(new Error(t('composer.connectionBroke')))
    request.onabort = () => reject(new Error(t('composer.uploadCancelled')))
    const body = new FormData()
    body.set('file', file)
    request.send(body)
  })
}
