import { createEffect, createMemo, createSignal, For, type JSX, on, Show, Suspense } from 'solid-js'
import { placeOf } from '../../../../../shared/resources/place.js'
import { language, t } from '../../../language/language.js'
import { openSettingsTexts, st } from '../../../language/settings-language.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { Icon } from '../../../look/icon.js'
import { IconButton } from '../../../look/icon-button.js'
import { SearchField } from '../../../look/search-field.js'
import { narrowOfPlace, type Term } from '../../../state/narrow.js'
import { termsOf } from '../../../state/terms.js'
import { useChat } from '../../chat.js'
import { type Picture, picturesOf } from '../../feed/pictures.js'
import { FileSign } from '../../file-sign.js'
import { later } from '../../later.js'
import { momentText } from '../../moment-text.js'
import { nameOf, narrowTitle, placeName } from '../../names.js'
import { describeFile } from '../../uploaded-file.js'
import { type About, type PictureAt, useView } from '../../view.js'
import { Dialog } from '../dialog.js'
import type { PictureWalk } from '../picture-viewer.js'
import { createFindingFiles, type FindingFiles, type SentFile } from './finding-files.js'
import './files.css'

const Viewer = later(async () => (await import('../picture-viewer.js')).Viewer)

type Where = 'here' | 'all' | 'public'

/** The files of a channel or conversation, or of all messages that the user may read, with a search. */
export function FilesDialog(props: About<'files'>): JSX.Element {
  const chat = useChat()
  const view = useView()
  createEffect(on(language, () => void chat.attempt(openSettingsTexts), { defer: true }))
  const here = props.about.files
  const [where, setWhere] = createSignal<Where>(here ? 'here' : 'all')
  const [words, setWords] = createSignal('')
  const terms = createMemo((): Term[] => [
    ...(where() === 'here' && here ? termsOf(chat.state, here) : []),
    ...(where() === 'public' ? [{ operator: 'channels', operand: 'public' }] : []),
    ...(words() === '' ? [] : [{ operator: 'search', operand: words() }]),
  ])
  const finding = createFindingFiles(chat, terms)
  const walk = useWalk(() => props.about.shown, finding)
  const places = (): [Where, string][] => [
    ...(here ? [['here', narrowTitle(chat.state, here)] as [Where, string]] : []),
    ['all', st('files.everywhere')],
    ['public', st('files.public')],
  ]
  return (
    <Dialog title={t('composer.files')} class="files-dialog">
      <div class="dialog-bar">
        <SearchField label={st('files.find')} isFirst typed={typed => setWords(typed.trim())} />
        <select
          class="input"
          aria-label={st('files.where')}
          value={where()}
          onChange={event => setWhere(event.currentTarget.value as Where)}
        >
          <For each={places()}>{([value, title]) => <option value={value}>{title}</option>}</For>
        </select>
      </div>
      <ErrorNotice text={finding.error()} />
      <ul class="choices" aria-label={t('composer.files')} aria-busy={finding.isBusy()}>
        <For
          each={finding.files()}
          fallback={<li class="quiet">{finding.isBusy() ? t('words.loading') : st('files.none')}</li>}
        >
          {file => <FileRow file={file} picture={walk.pictureOf(file)} />}
        </For>
      </ul>
      <Show when={finding.hasMore()}>
        <button type="button" class="button" disabled={finding.isBusy()} onClick={() => void finding.more()}>
          {st('files.older')}
        </button>
      </Show>
      <Show when={props.about.shown}>
        <Suspense>
          <Viewer walk={walk} close={view.closeDialog} />
        </Suspense>
      </Show>
    </Dialog>
  )
}

/** The pictures among the files that were found; older messages are looked through on the way. */
function useWalk(shown: () => PictureAt | undefined, finding: FindingFiles) {
  const chat = useChat()
  const view = useView()
  const all = createMemo(() => {
    const messages = new Map(finding.files().map(({ message }) => [message.id, message]))
    return picturesOf(
      chat,
      [...messages.values()].sort((a, b) => a.id - b.id),
    )
  })
  const at = createMemo(() => {
    const { messageId, index } = shown() ?? {}
    return all().findIndex(one => one.messageId === messageId && one.index === index)
  })
  const next = (by: 1 | -1): Picture | undefined => (at() < 0 ? undefined : all()[at() + by])
  return {
    at,
    picture: () => all()[at()],
    count: () => all().length,
    isEnd: (by: 1 | -1) => !next(by) && (by > 0 || !finding.hasMore()),
    async step(by: 1 | -1) {
      while (by < 0 && !next(by) && finding.hasMore() && !finding.error()) await finding.more()
      const found = next(by)
      const dialog = view.dialog()
      if (found && shown() && typeof dialog === 'object' && 'files' in dialog)
        view.open({ files: dialog.files, shown: { messageId: found.messageId, index: found.index } })
    },
    pictureOf: ({ address, message }: SentFile) =>
      all().find(one => one.messageId === message.id && one.original === address),
  } satisfies PictureWalk & Record<string, unknown>
}

function FileRow(props: { file: SentFile; picture: Picture | undefined }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { name, address, message } = props.file
  const place = placeOf(message, chat.state.user_id)
  const look = (event: MouseEvent) => {
    const { picture } = props
    const dialog = view.dialog()
    // With a key, the browser's own window.
    if (!picture || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (typeof dialog !== 'object' || !('files' in dialog)) return
    event.preventDefault()
    view.open({ files: dialog.files, shown: { messageId: picture.messageId, index: picture.index } })
  }
  const show = () => {
    view.open(undefined)
    view.go(narrowOfPlace(place), { near: message.id })
  }
  return (
    <li class="choice">
      <a class="choice-main" href={address} target="_blank" rel="noopener noreferrer" onClick={look}>
        <FileSign name={name} address={address} />
        <span class="choice-words">
          <strong dir="auto">{name}</strong>
          <small dir="auto">
            {[
              describeFile(name, undefined),
              nameOf(chat.state, message.sender_id),
              placeName(chat.state, place),
              momentText(chat.state, message.timestamp * 1000),
            ]
              .filter(part => part !== '')
              .join(' · ')}
          </small>
        </span>
      </a>
      <a
        class="icon-button"
        href={address.replace('/user_uploads/', '/user_uploads/download/')}
        download=""
        aria-label={st('files.download', name)}
        title={st('files.download', name)}
      >
        <Icon name="down" />
      </a>
      <IconButton icon="topic" label={st('files.show', name)} work={show} />
    </li>
  )
}
