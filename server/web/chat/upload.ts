import { createSignal } from 'solid-js'
import { t } from '../language/language.js'
import { refusalText } from '../language/refusal-text.js'

/**
 * | state | next |
 * |---|---|
 * | `waits` for its turn | `sends` |
 * | `sends` | `arrived`, `failed` |
 * | `arrived`, and waits for the files before it | its link joins the text of the view |
 * | `failed` | `waits`, when the user tries again |
 */
type UploadState =
  | { readonly kind: 'waits' | 'sends' }
  | { readonly kind: 'arrived'; readonly address: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** A file on its way to the server. */
export interface Upload {
  readonly file: File
  /** Address of the view in which it was chosen. */
  readonly view: string
  readonly state: () => UploadState
  /** How much has been sent, from 0 to 1. */
  readonly sent: () => number
  /** Resolves when it has arrived, failed or been stopped. */
  send(): Promise<void>
  /** It waits again. */
  reset(): void
  stop(): void
}

export function createUpload(file: File, view: string): Upload {
  const [state, setState] = createSignal<UploadState>({ kind: 'waits' })
  const [sent, setSent] = createSignal(0)
  let request: XMLHttpRequest | undefined
  return {
    file,
    view,
    state,
    sent,
    async send() {
      setState({ kind: 'sends' })
      request = new XMLHttpRequest()
      try {
        setState({ kind: 'arrived', address: await post(request, file, setSent) })
      } catch (error) {
        setState({ kind: 'failed', reason: (error as Error).message })
      }
    },
    reset() {
      setSent(0)
      setState({ kind: 'waits' })
    },
    stop: () => request?.abort(),
  }
}

/** `fetch` cannot report how much of a body was sent. Resolves with the address of the file. @throws {Error} with a sentence for people */
function post(request: XMLHttpRequest, file: File, progress: (sent: number) => void): Promise<string> {
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
