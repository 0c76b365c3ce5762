import { batch, createSignal } from 'solid-js'
import { t } from '../language/language.js'
import { linkTo, mostFiles, partsOf, withFile } from '../state/attached-files.js'
import type { Chat } from './chat.js'
import type { Drafts } from './drafts.js'
import { createUpload, type Upload } from './upload.js'

// The server would receive more of one account, but all else that the page does shares the connection.
const atOnce = 3

export interface Uploads {
  add(files: readonly File[], view: string): void
  /** Those whose links are not in the text of the view yet, in the order in which they were chosen. */
  list(view: string): readonly Upload[]
  retry(upload: Upload): void
  remove(upload: Upload): void
}

/** Files on their way to the server. Their links join the texts of their views in the order in which the user chose the files. */
export function createUploads(chat: Chat, drafts: Drafts): Uploads {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([])
  const list = (view: string) => uploads().filter(upload => upload.view === view)
  const leave = (upload: Upload) => setUploads(all => all.filter(one => one !== upload))
  const inState = (kind: ReturnType<Upload['state']>['kind']) => uploads().filter(({ state }) => state().kind === kind)
  const handOver = (view: string) =>
    batch(() => {
      for (const upload of list(view)) {
        const state = upload.state()
        if (state.kind === 'failed') continue
        if (state.kind !== 'arrived') return
        leave(upload)
        drafts.keep(view, withFile(drafts.read(view), linkTo({ name: upload.file.name, address: state.address })))
      }
    })
  const run = async (upload: Upload) => {
    await upload.send()
    const state = upload.state()
    // The view may not be open.
    if (state.kind === 'failed' && uploads().includes(upload))
      chat.say(t('composer.uploadFailed', upload.file.name, state.reason), 'bad')
    goOn(upload.view)
  }
  const goOn = (view: string) => {
    handOver(view)
    for (const upload of inState('waits').slice(0, Math.max(0, atOnce - inState('sends').length))) void run(upload)
  }
  const askBeforeLeaving = (event: BeforeUnloadEvent) => {
    if (inState('sends').length > 0) event.preventDefault()
  }
  window.addEventListener('beforeunload', askBeforeLeaving)
  chat.onEnd(() => {
    window.removeEventListener('beforeunload', askBeforeLeaving)
    const all = uploads()
    setUploads([])
    for (const upload of all) upload.stop()
  })
  return {
    list,
    add(files, view) {
      const room = mostFiles - list(view).length - partsOf(drafts.read(view)).files.length
      const taken = files.slice(0, Math.max(0, room))
      if (taken.length < files.length) chat.say(t('composer.tooManyFiles', files.length - taken.length), 'bad')
      setUploads(all => [...all, ...taken.map(file => createUpload(file, view))])
      goOn(view)
    },
    retry(upload) {
      upload.reset()
      goOn(upload.view)
    },
    remove(upload) {
      leave(upload)
      upload.stop()
      goOn(upload.view)
    },
  }
}
